use std::time::Instant;
#[test]
fn speed() {
    let rule = include_str!("/tmp/rule.yaml");
    let files: Vec<(String, String)> = (0..5000).map(|n| (format!("f/example.r{n}.yaml"), rule.replace("example.quota", &format!("example.r{n}")))).chain([("pack.yaml".to_owned(), "schema: faultbook.pack/1\nid: example\nversion: 1.2.0\ntitle: An example\nlicence: MIT\nengine: ^1.0\ntaxonomy: 1.0.0\n".to_owned())]).collect();
    let t = Instant::now();
    let loaded =
        faultbook_engine::pack::load_files("x", files.iter().map(|(a, b)| (a.as_str(), b.as_bytes())));
    println!("{:?} {:?}", t.elapsed(), loaded.map(|l| l.pack.rules.len()).map_err(|p| p[0].clone()));
}
