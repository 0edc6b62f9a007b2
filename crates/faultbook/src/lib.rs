//! Know what went wrong when an AI coding agent fails, and recover without doing harm.
