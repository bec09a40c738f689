//! A served robot and Python's `qi`. `BOXSTEP_QI_PYTHON` names a Python that has it. Without it these tests report that
//! they were skipped.

use super::boxes::playing;
use super::services::Robot;
use boxstep_bodies::BodyKind;
use std::path::Path;
use std::process::Command;

fn asks(robot: &Robot, what: &str) {
    let Some(python) = std::env::var_os("BOXSTEP_QI_PYTHON") else {
        eprintln!("left out: BOXSTEP_QI_PYTHON names no Python with libqi");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/libqi.py");
    let address = robot.serving.address().to_string();
    let said = Command::new(python).arg(script).args([&address, what]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success() && out.ends_with("fine\n"), "{out}\n{err}");
}

#[test]
fn pythons_qi_uses_a_served_robot() {
    asks(&Robot::new(BodyKind::Nao), "robot");
}

#[test]
fn pythons_qi_stimulates_an_input_sees_an_output_and_sets_a_parameter() {
    asks(&playing(), "boxes");
}
