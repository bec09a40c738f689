//! The integration tests of this crate, in one program: each linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod common;
#[path = "../../boxstep-robot/tests/support/cut.rs"]
#[allow(dead_code, reason = "others share this file")]
mod cut;
#[path = "../../boxstep-qi/tests/common/standin.rs"]
mod libqi;
#[path = "../../boxstep-script/tests/pythons/mod.rs"]
#[allow(dead_code, reason = "others share this file")]
mod pythons;
#[path = "../../boxstep-robot/tests/support/mod.rs"]
mod support;

mod again;
mod alone;
mod archives;
mod behavior_tests;
mod blocking;
mod character_play;
mod character_talk;
mod character_tests;
mod character_tools;
mod characters;
mod check;
mod cli;
mod concurrency;
mod conformance;
mod convert;
mod cuts;
mod delegates;
mod doctor;
mod edit;
mod examples;
mod falling;
mod fleet;
mod fleet_delegates;
mod fleet_processes;
mod flight;
mod found;
mod generations;
mod held;
mod interrupt;
mod isolation;
mod keep;
mod language;
mod launch;
mod left_behind;
mod library;
mod migrate;
mod newcomer;
mod own_robot;
mod package;
mod package_services;
mod packages;
mod play;
mod polling;
mod process;
mod programs;
mod projects;
#[cfg(target_os = "linux")]
mod put_back;
mod python_api;
mod python_behaviors;
mod qi;
mod ready;
mod recording;
mod replaced;
mod replays;
mod rescue;
mod retarget;
mod robot;
mod robots;
mod ros2;
mod send;
mod service_types;
mod show;
mod split;
mod standin;
mod starting;
mod stop;
mod stories;
mod terminal;
mod topics;
mod trees;
mod watch;
mod why_stopped;
