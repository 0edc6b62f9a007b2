//! Temporary.
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let start = std::time::Instant::now();
    let pack = match faultbook_engine::pack::load_folder(std::path::Path::new(&path)) {
        Ok(pack) => pack,
        Err(problems) => {
            println!("{} problems: {}", problems.len(), problems[0].message);
            return;
        }
    };
    println!("load {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let analysis = faultbook_checks::collision::analyse(
        faultbook_checks::collision::Subject::of_pack(&pack),
        &pack.pack.ambiguous,
    );
    println!("{} rules, {:?}, compared {}", pack.pack.rules.len(), start.elapsed(), analysis.compared);
    for finding in &analysis.findings {
        println!(
            "{} {}:{} {}\n      {}",
            finding.code,
            finding.file,
            finding.line,
            finding.message,
            finding.help.clone().unwrap_or_default().chars().take(400).collect::<String>()
        );
    }
}
