//! Wire formats of agents, read as streams into evidence envelopes.
