//! Rule packs, the compiled catalogue, classification and its explanation.
