//! Sites: the places of a rule at which an atom stands, with the names that people and files use for them.

use faultbook_engine::rule::{Atom, Match, Rule};

/// A list of atoms in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    All,
    Any,
    None,
}

impl Group {
    const EVERY: [Self; 3] = [Self::All, Self::Any, Self::None];

    const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::None => "none",
        }
    }
}

/// Where one atom stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Site {
    /// The companion that holds it; `None` for the match itself.
    companion: Option<usize>,
    /// The list in that match.
    group: Group,
    /// The atoms that hold it, outermost first, each by its place and the list that it is.
    parents: Vec<(usize, Group)>,
    /// Its place in the innermost list.
    index: usize,
}

impl Site {
    /// The innermost list.
    pub(super) fn list(&self) -> Group {
        self.parents.last().map_or(self.group, |(_, group)| *group)
    }

    /// Such as `match.all[1].any[0]`.
    pub(super) fn name(&self) -> String {
        let mut name = self.root(|index| format!("with[{index}]"), "match");
        for (list, index) in self.steps() {
            name.push_str(&format!(".{}[{index}]", list.as_str()));
        }
        name
    }

    /// The JSON pointer in the rule's file, such as `/match/all/1/any/0`.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = self.root(|index| format!("/with/{index}"), "/match");
        for (list, index) in self.steps() {
            pointer.push_str(&format!("/{}/{index}", list.as_str()));
        }
        pointer
    }

    fn root(&self, companion: impl Fn(usize) -> String, own: &str) -> String {
        self.companion.map_or_else(|| own.to_owned(), companion)
    }

    /// The lists from the outermost to the innermost, with the place taken in each.
    fn steps(&self) -> Vec<(Group, usize)> {
        let mut steps = Vec::new();
        let mut list = self.group;
        for &(index, below) in &self.parents {
            steps.push((list, index));
            list = below;
        }
        steps.push((list, self.index));
        steps
    }

    /// The rule without this atom.
    pub(super) fn dropped(&self, rule: &Rule) -> Option<Rule> {
        let mut rule = rule.clone();
        let atoms = self.atoms(&mut rule)?;
        (self.index < atoms.len()).then(|| atoms.remove(self.index))?;
        Some(rule)
    }

    /// The rule with another atom in this place.
    pub(super) fn replaced(&self, rule: &Rule, atom: Atom) -> Option<Rule> {
        let mut rule = rule.clone();
        *self.atoms(&mut rule)?.get_mut(self.index)? = atom;
        Some(rule)
    }

    fn atoms<'r>(&self, rule: &'r mut Rule) -> Option<&'r mut Vec<Atom>> {
        let matches = match self.companion {
            Some(index) => rule.with.get_mut(index)?,
            None => &mut rule.matches,
        };
        let mut atoms = match self.group {
            Group::All => &mut matches.all,
            Group::Any => &mut matches.any,
            Group::None => &mut matches.none,
        };
        for &(index, _) in &self.parents {
            atoms = match atoms.get_mut(index)? {
                Atom::All(inner) | Atom::Any(inner) | Atom::None(inner) => inner,
                _ => return None,
            };
        }
        Some(atoms)
    }
}

/// Every atom that the rule asks for, and every atom right below a `none`. What stands deeper below a `none` only
/// says what the refused atom is.
pub(super) fn sites(rule: &Rule) -> Vec<(Site, &Atom)> {
    let mut found = Vec::new();
    in_match(&rule.matches, None, &mut found);
    for (index, companion) in rule.with.iter().enumerate() {
        in_match(companion, Some(index), &mut found);
    }
    found
}

fn in_match<'r>(matches: &'r Match, companion: Option<usize>, found: &mut Vec<(Site, &'r Atom)>) {
    for group in Group::EVERY {
        let atoms = match group {
            Group::All => &matches.all,
            Group::Any => &matches.any,
            Group::None => &matches.none,
        };
        in_list(atoms, &Site { companion, group, parents: Vec::new(), index: 0 }, found);
    }
}

fn in_list<'r>(atoms: &'r [Atom], list: &Site, found: &mut Vec<(Site, &'r Atom)>) {
    for (index, atom) in atoms.iter().enumerate() {
        let site = Site { index, ..list.clone() };
        let below = |group: Group| {
            let mut parents = list.parents.clone();
            parents.push((index, group));
            Site { parents, index: 0, ..list.clone() }
        };
        found.push((site, atom));
        if list.list() == Group::None {
            continue;
        }
        match atom {
            Atom::All(inner) => in_list(inner, &below(Group::All), found),
            Atom::Any(inner) => in_list(inner, &below(Group::Any), found),
            Atom::None(inner) => in_list(inner, &below(Group::None), found),
            Atom::Channel(_)
            | Atom::Phase(_)
            | Atom::Terminal(_)
            | Atom::HttpStatus(_)
            | Atom::ExitCode(_)
            | Atom::RpcCode(_)
            | Atom::Header(_)
            | Atom::Field(_)
            | Atom::Text(_)
            | Atom::Whole(_) => {}
        }
    }
}
