//! The number of file descriptors of a connection. This test is alone in its process, whose descriptors it counts.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use boxstep_qi::{Server, Session};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn a_connection_takes_one_descriptor_at_each_end() {
    let server = Server::listen("127.0.0.1:0").unwrap();
    let before = descriptors();
    let sessions: Vec<_> = (0..10).map(|_| Session::connect(&server.address().to_string()).unwrap()).collect();
    assert_eq!(descriptors() - before, 2 * sessions.len());
}
