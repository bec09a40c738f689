//! Crates depend on each other only in the direction of the house's plan (ARCHITECTURE.md).

use crate::{Outcome, tools};
use serde_json::Value as Json;

/// Who may use whom. A crate that is not here is an error, so that the plan stays whole.
const PLAN: &[(&str, &[&str])] = &[
    ("boxstep-types", &[]),
    ("boxstep-format", &["boxstep-types"]),
    ("boxstep-motion", &["boxstep-types"]),
    ("boxstep-bodies", &["boxstep-types"]),
    ("boxstep-qi", &[]),
    ("boxstep-engine", &["boxstep-types", "boxstep-format", "boxstep-motion"]),
    ("boxstep-robot", &["boxstep-types", "boxstep-engine", "boxstep-motion", "boxstep-bodies", "boxstep-qi"]),
    ("boxstep-script", &["boxstep-types", "boxstep-engine"]),
    ("boxstep-check", &["boxstep-types", "boxstep-format", "boxstep-motion", "boxstep-bodies"]),
    ("boxstep-draw", &["boxstep-types", "boxstep-format", "boxstep-motion", "boxstep-bodies"]),
    ("boxstep-record", &["boxstep-types", "boxstep-engine"]),
    ("boxstep-runner", &["boxstep-types", "boxstep-engine"]),
    (
        "boxstep-view",
        &["boxstep-types", "boxstep-format", "boxstep-bodies", "boxstep-engine", "boxstep-draw", "boxstep-record"],
    ),
    ("boxstep-test", &["boxstep-types", "boxstep-format", "boxstep-engine", "boxstep-record"]),
    (
        "boxstep-cli",
        &[
            "boxstep-types",
            "boxstep-format",
            "boxstep-motion",
            "boxstep-bodies",
            "boxstep-qi",
            "boxstep-engine",
            "boxstep-robot",
            "boxstep-script",
            "boxstep-check",
            "boxstep-draw",
            "boxstep-record",
            "boxstep-test",
            "boxstep-runner",
            "boxstep-view",
        ],
    ),
    ("boxstep", &["boxstep-types", "boxstep-format", "boxstep-engine", "boxstep-script", "boxstep-cli"]),
    (
        "xtask",
        &["boxstep-types", "boxstep-format", "boxstep-bodies", "boxstep-draw", "boxstep-record", "boxstep-robot"],
    ),
];

/// Compares the plan with what cargo says.
pub(crate) fn run() -> Outcome {
    let text = tools::output(&mut tools::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let wrong = against_plan(&text)?;
    if wrong.is_empty() {
        println!("dependencies: {} crates, as planned", PLAN.len());
        return Ok(());
    }
    Err(wrong.join("\nerror: "))
}

fn against_plan(metadata: &str) -> Result<Vec<String>, String> {
    let metadata: Json = serde_json::from_str(metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = PLAN.iter().find(|(n, _)| *n == name) else {
            wrong.push(format!("{name} is not in the plan of crates (xtask/src/deps.rs, ARCHITECTURE.md)"));
            continue;
        };
        for used in package["dependencies"].as_array().into_iter().flatten() {
            let used_name = used["name"].as_str().unwrap_or_default();
            let ours = used["path"].is_string();
            let only_for_tests = used["kind"] == "dev";
            if ours && !only_for_tests && !allowed.contains(&used_name) {
                wrong.push(format!("{name} may not use {used_name}"));
            }
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_up_the_house_is_found() {
        let metadata = r#"{"packages":[
            {"name":"boxstep-types","dependencies":[{"name":"boxstep-engine","path":"/x","kind":null}]},
            {"name":"boxstep-format","dependencies":[{"name":"boxstep-types","path":"/x","kind":null},
                {"name":"boxstep-engine","path":"/x","kind":"dev"},{"name":"serde","kind":null}]},
            {"name":"boxstep-new","dependencies":[]}]}"#;
        let wrong = against_plan(metadata).unwrap();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert_eq!(wrong[0], "boxstep-types may not use boxstep-engine");
    }
}
