//! A stand-in robot on libqi. `BOXSTEP_STANDIN` names its program, and `BOXSTEP_QI_PYTHON` a Python that can import
//! `qi`. Without them the tests that need it report that they were skipped. The tests of other crates include this file
//! by its path.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

pub struct Robot {
    process: Child,
    pub address: String,
}

impl Drop for Robot {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a stand-in with these faults.
pub fn robot(flags: &[&str]) -> Option<Robot> {
    let both = (std::env::var_os("BOXSTEP_STANDIN"), std::env::var_os("BOXSTEP_QI_PYTHON"));
    let (Some(program), Some(python)) = both else {
        eprintln!("left out: BOXSTEP_STANDIN and BOXSTEP_QI_PYTHON name no stand-in robot");
        return None;
    };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut process = Command::new(python)
        .arg(program)
        .args(["--time-scale", "0.05", "--port", &port.to_string()])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let robot = Robot { process, address: format!("127.0.0.1:{port}") };
    assert!(lines.any(|line| line.unwrap().contains("ready on")), "the stand-in did not begin");
    // It keeps writing, and must not block because nobody reads.
    std::thread::spawn(move || lines.for_each(drop));
    Some(robot)
}
