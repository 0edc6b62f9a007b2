//! Tidiness as a check: what a reviewer should never have to say twice.

mod absence;
mod direction;
mod sources;

/// Every problem of the tree.
pub(crate) fn problems() -> Vec<String> {
    let files = sources::rust_files();
    [sources::check(&files), absence::check(&files), direction::check()].concat()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_is_tidy() {
        assert_eq!(super::problems(), Vec::<String>::new());
    }
}
