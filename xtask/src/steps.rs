//! Long jobs in steps: each step is reported with its duration in minutes, and the first failure ends the job.

use crate::Outcome;
use std::time::Instant;

/// A step of a job. CONTRIBUTING.md has a row for each.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Outcome,
}

/// Runs the steps with these names, or all steps, in the order of `steps`.
pub(crate) fn run(steps: &[Step], names: &[String]) -> Outcome {
    if let Some(unknown) = names.iter().find(|name| steps.iter().all(|step| step.name != **name)) {
        let known: Vec<_> = steps.iter().map(|step| step.name).collect();
        return Err(format!("there is no step `{unknown}`, only {}", known.join(", ")));
    }
    let mut table = String::new();
    for step in steps.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name)) {
        let begins = Instant::now();
        let done = (step.run)();
        let minutes = begins.elapsed().as_secs_f64() / 60.0;
        done.map_err(|why| format!("{}, after {minutes:.1} min: {why}", step.name))?;
        let line = format!("{:>10} {minutes:5.1} min\n", step.name);
        print!("{line}");
        table += &line;
    }
    print!("\nall is as it should be\n{table}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_row_in_contributing() {
        let page = std::fs::read_to_string(crate::tools::root().join("CONTRIBUTING.md")).unwrap();
        for step in crate::ci::STEPS.iter().chain(&crate::nightly::STEPS) {
            assert!(page.contains(&format!("\n| `{}` |", step.name)), "{}", step.name);
        }
    }

    #[test]
    fn the_first_step_that_fails_is_the_last_and_a_name_that_is_none_runs_nothing() {
        let steps = [
            Step { name: "good", run: || Ok(()) },
            Step { name: "bad", run: || Err("because".to_owned()) },
            Step { name: "later", run: || unreachable!() },
        ];
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(run(&steps, &names(&["good"])), Ok(()));
        assert!(run(&steps, &[]).unwrap_err().starts_with("bad, after 0.0 min: because"));
        assert_eq!(run(&steps, &names(&["later", "x"])).unwrap_err(), "there is no step `x`, only good, bad, later");
    }
}
