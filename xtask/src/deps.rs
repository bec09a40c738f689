//! Checks that crates depend on each other only as the table of ARCHITECTURE.md says, and only on those above them in
//! it.

use crate::{Outcome, tools};
use serde_json::Value as Json;

/// Compares the table with cargo's metadata.
pub(crate) fn run() -> Outcome {
    let table = tools::root().join("ARCHITECTURE.md");
    let table = std::fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let plan = plan(&table)?;
    let text = tools::output(&mut tools::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let wrong = against_plan(&plan, &text)?;
    if wrong.is_empty() {
        println!("dependencies: {} crates, as planned", plan.len());
        return Ok(());
    }
    Err(wrong.join("\nerror: "))
}

/// Returns the crates, each with those that it may use, from the rows `| crate | what it is | may use |`.
fn plan(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut plan: Vec<(String, Vec<String>)> = Vec::new();
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, .., uses] = cells.as_slice() else { continue };
        let name = name.trim_matches('`');
        // The Python package is not a crate.
        if name.ends_with('/') {
            continue;
        }
        let above = |name: &str| plan.iter().any(|(above, _)| above == name);
        let uses: Vec<String> = match *uses {
            "–" => Vec::new(),
            "all of the above" => plan.iter().map(|(name, _)| name.clone()).collect(),
            uses => uses.split(", ").map(|one| format!("boxstep-{}", one.split(' ').next().unwrap_or(one))).collect(),
        };
        if let Some(below) = uses.iter().find(|used| !above(used)) {
            return Err(format!("ARCHITECTURE.md: {name} may use {below}, which does not stand before it"));
        }
        plan.push((name.to_owned(), uses));
    }
    Ok(plan)
}

fn against_plan(plan: &[(String, Vec<String>)], metadata: &str) -> Result<Vec<String>, String> {
    let metadata: Json = serde_json::from_str(metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = plan.iter().find(|(n, _)| n == name) else {
            wrong.push(format!("{name} is not in the table of ARCHITECTURE.md"));
            continue;
        };
        for used in package["dependencies"].as_array().into_iter().flatten() {
            let used_name = used["name"].as_str().unwrap_or_default();
            let ours = used["path"].is_string();
            let only_for_tests = used["kind"] == "dev";
            if ours && !only_for_tests && !allowed.iter().any(|allowed| allowed == used_name) {
                wrong.push(format!("{name} may not use {used_name}"));
            }
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| crate | room | may use |\n|---|---|---|\n| `boxstep-types` | words | – |\n\
        | `boxstep-format` | files, a|b | types |\n| `boxstep` | all | types, format (its benchmarks) |\n| `python/` | x | `y` |\n";

    #[test]
    fn a_call_up_the_house_is_found() {
        let metadata = r#"{"packages":[
            {"name":"boxstep-types","dependencies":[{"name":"boxstep-engine","path":"/x","kind":null}]},
            {"name":"boxstep-format","dependencies":[{"name":"boxstep-types","path":"/x","kind":null},
                {"name":"boxstep-engine","path":"/x","kind":"dev"},{"name":"serde","kind":null}]},
            {"name":"boxstep","dependencies":[{"name":"boxstep-format","path":"/x","kind":null}]},
            {"name":"boxstep-new","dependencies":[]}]}"#;
        let wrong = against_plan(&plan(TABLE).unwrap(), metadata).unwrap();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert_eq!(wrong[0], "boxstep-types may not use boxstep-engine");
    }

    #[test]
    fn a_table_that_leads_up_the_house_is_refused() {
        let up = TABLE.replace("| words | – |", "| words | format |");
        assert_eq!(
            plan(&up).unwrap_err(),
            "ARCHITECTURE.md: boxstep-types may use boxstep-format, which does not stand before it"
        );
    }
}
