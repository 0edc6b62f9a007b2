//! What people see: answers and explanations in words.

mod answer;
mod explanation;
mod table;

pub(crate) use answer::{Tally, answer, code_style, counted, one_line};
pub(crate) use explanation::explanation;
pub(crate) use table::Table;
