//! `faultbook list`: the rules, codes, packs and coverage of what is loaded.

use std::collections::BTreeSet;
use std::io::Write as _;

use anstyle::Style;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use faultbook::{Agent, Catalogue, Class, Code, Provider};
use faultbook_engine::PackTrust;
use faultbook_engine::rule::{Kind, Rule};
use serde_json::{Value, json};

use crate::failure::{Ended, Failure};
use crate::output::{Format, Output, Palette};
use crate::packs::PackOptions;
use crate::view::{Table, code_style, counted};

/// List rules, codes, packs, or which codes are covered for whom
///
/// `faultbook list` lists every rule; the options narrow it down. `faultbook list coverage` counts the rules of
/// each code by provider and agent: a gap is a failure that nobody would recognise.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct List {
    /// What to list
    #[arg(value_name = "WHAT", default_value = "rules")]
    what: What,
    /// Only rules of this code
    #[arg(long, value_name = "CODE", value_parser = code(), hide_possible_values = true)]
    code: Option<Code>,
    /// Only rules that apply to this agent's evidence
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only rules that apply to this provider's evidence
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// Only rules of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<KindName>,
    #[command(flatten)]
    packs: PackOptions,
    /// How the list is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
    faultbook list --code quota_limited --provider openai
    faultbook list codes
    faultbook list coverage
    faultbook list packs --rules rules/acme";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// The rules, by id
    Rules,
    /// The codes, with class and meaning
    Codes,
    /// Code by provider and agent: how many rules
    Coverage,
    /// The packs and the catalogue's digest
    Packs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindName {
    Rule,
    Notice,
    Healthy,
    Speaker,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Rule => Self::Rule,
            KindName::Notice => Self::Notice,
            KindName::Healthy => Self::Healthy,
            KindName::Speaker => Self::Speaker,
        }
    }
}

fn code() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str())).try_map(|name| name.parse::<Code>())
}

impl List {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let catalogue = self.packs.open()?.catalogue();
        let filter = self.filter()?;
        let rules: Vec<&Rule> = catalogue.rules().filter(|rule| filter.keeps(rule)).collect();
        let palette = Palette::of_output();
        let (values, text) = match self.what {
            What::Rules => {
                (rules.iter().map(|rule| rule_json(rule, &catalogue)).collect(), rules_table(&rules, palette))
            }
            What::Codes => codes(&rules, palette),
            What::Coverage => coverage(&rules, palette),
            What::Packs => packs(&catalogue, palette),
        };
        let mut output = Output::standard();
        match self.format {
            Format::Human => {
                output.write_all(text.as_bytes())?;
                output.finish()?;
            }
            Format::Json | Format::Jsonl => output.list::<Value>(&values, self.format)?,
        }
        Ok(Ended::Done)
    }

    fn filter(&self) -> Result<Filter, Failure> {
        let unknown = |error: faultbook_taxonomy::UnknownWord| {
            Failure::usage(error.to_string(), "rules name agents and providers from these closed lists")
        };
        let agent = self.agent.as_deref().map(str::parse::<Agent>).transpose().map_err(unknown)?;
        let provider = self.provider.as_deref().map(str::parse::<Provider>).transpose().map_err(unknown)?;
        Ok(Filter { code: self.code, agent, provider, kind: self.kind.map(Kind::from) })
    }
}

/// Which rules are wanted.
struct Filter {
    code: Option<Code>,
    agent: Option<Agent>,
    provider: Option<Provider>,
    kind: Option<Kind>,
}

impl Filter {
    fn keeps(&self, rule: &Rule) -> bool {
        let applies = &rule.applies;
        self.code.is_none_or(|code| rule.code == Some(code))
            && self.kind.is_none_or(|kind| rule.kind == kind)
            && self.agent.is_none_or(|agent| {
                applies.agents.is_empty() || applies.agents.iter().any(|named| named.covers(agent))
            })
            && self.provider.is_none_or(|provider| {
                applies.providers.is_empty() || applies.providers.iter().any(|named| named.covers(provider))
            })
    }
}

fn rule_json(rule: &Rule, catalogue: &Catalogue) -> Value {
    json!({
        "id": rule.id, "kind": rule.kind, "code": rule.code, "confidence": rule.confidence, "band": rule.band,
        "rank": rule.code.map(|_| rule.rank()), "status": rule.status, "revision": rule.revision,
        "title": rule.title, "applies": rule.applies, "pack": catalogue.pack_of(&rule.id).map(|pack| &pack.id),
    })
}

fn rules_table(rules: &[&Rule], palette: Palette) -> String {
    let plain = Style::new();
    let mut table = Table::default();
    for rule in rules {
        let meaning = rule.code.map_or_else(|| kind_name(rule.kind).to_owned(), |code| code.to_string());
        let style = rule.code.map_or(palette.faint, |code| code_style(palette, code.class()));
        let strength = match (rule.band, rule.confidence) {
            (Some(band), Some(confidence)) => format!("{band}/{} {confidence}", rule.rank()),
            _ => String::new(),
        };
        table.row([
            (plain, rule.id.clone()),
            (style, meaning),
            (palette.faint, strength),
            (plain, rule.title.clone()),
        ]);
    }
    format!("{}{}\n", table.render(""), counted(rules.len(), "rule"))
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Rule => "rule",
        Kind::Notice => "notice",
        Kind::Healthy => "healthy",
        Kind::Speaker => "speaker",
    }
}

fn codes(rules: &[&Rule], palette: Palette) -> (Vec<Value>, String) {
    let plain = Style::new();
    let mut table = Table::default();
    let mut values = Vec::new();
    for code in Code::ALL {
        let count = rules.iter().filter(|rule| rule.code == Some(*code)).count();
        table.row([
            (code_style(palette, code.class()), code.to_string()),
            (plain, code.class().to_string()),
            (plain, code.default_scope().to_string()),
            (if count == 0 { palette.bad } else { palette.faint }, counted(count, "rule")),
            (plain, code.meaning().to_owned()),
        ]);
        values.push(json!({
            "code": code, "class": code.class(), "scope": code.default_scope(), "rules": count,
            "meaning": code.meaning(),
        }));
    }
    (values, table.render(""))
}

/// Whom rules name, in columns: first any, then providers, then agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Any,
    Provider(Provider),
    Agent(Agent),
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Provider(provider) => provider.as_str(),
            Self::Agent(agent) => agent.as_str(),
        }
    }

    fn of(rule: &Rule) -> Vec<Self> {
        let providers = rule.applies.providers.iter().map(|provider| Self::Provider(*provider));
        let named: Vec<Self> =
            providers.chain(rule.applies.agents.iter().map(|agent| Self::Agent(*agent))).collect();
        if named.is_empty() { vec![Self::Any] } else { named }
    }
}

fn coverage(rules: &[&Rule], palette: Palette) -> (Vec<Value>, String) {
    let coded: Vec<(Code, Vec<Column>)> =
        rules.iter().filter_map(|rule| Some((rule.code?, Column::of(rule)))).collect();
    let columns: BTreeSet<Column> = coded.iter().flat_map(|(_, columns)| columns.iter().copied()).collect();
    let mut table = Table::default();
    let head = std::iter::once("code").chain(columns.iter().map(|column| column.name()));
    table.cells(head.map(|name| (palette.faint, name.to_owned())).collect());
    let mut values = Vec::new();
    for code in Code::ALL
        .iter()
        .filter(|code| code.class() != Class::Unclassified || coded.iter().any(|(c, _)| c == *code))
    {
        let count = |column: &Column| {
            coded.iter().filter(|(own, named)| own == code && named.contains(column)).count()
        };
        let mut cells = vec![(code_style(palette, code.class()), code.to_string())];
        let mut row = serde_json::Map::new();
        for column in &columns {
            let rules = count(column);
            let text = if rules == 0 { "·".to_owned() } else { rules.to_string() };
            cells.push((if rules == 0 { palette.faint } else { Style::new() }, text));
            row.insert(column.name().to_owned(), Value::from(rules));
        }
        table.cells(cells);
        values.push(json!({ "code": code, "rules": row }));
    }
    (values, table.render(""))
}

fn packs(catalogue: &Catalogue, palette: Palette) -> (Vec<Value>, String) {
    let mut table = Table::default();
    let mut values = Vec::new();
    for pack in catalogue.packs() {
        let is_trusted = pack.trust == PackTrust::Trusted;
        let count = catalogue.rules().filter(|rule| catalogue.pack_of(&rule.id) == Some(pack)).count();
        let trust = if is_trusted { "may authorise work" } else { "informs only; --trust lifts that" };
        table.row([
            (palette.strong, pack.id.clone()),
            (Style::new(), pack.version.clone()),
            (Style::new(), counted(count, "rule")),
            (palette.faint, trust.to_owned()),
        ]);
        values.push(json!({ "id": pack.id, "version": pack.version, "rules": count, "trusted": is_trusted }));
    }
    let digest = Palette::paint(palette.faint, format!("catalogue {}", catalogue.digest()));
    (values, format!("{}{digest}\n", table.render("")))
}
