//! Runs of robots for ROS 2, without ROS.
//!
//! [`bag`] writes the trace of a run as a recording that `ros2 bag play` and Foxglove read: joint states, transforms,
//! what the robot says, touches and the log. [`urdf`] describes a body for ROS, [`messages`] has the messages, and [`cdr`]
//! turns them into bytes. Names and units are those of `naoqi_driver2`, the driver of NAO and Pepper for ROS 2;
//! `docs/guides/ros2.md` lists them.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_ros2::bag::{self, Times};
//! use boxstep_ros2::posture::Sampled;
//! use boxstep_trace::Recording;
//!
//! let trace = r#"{"schema":1,"body":"nao"}
//! {"n":1,"t":0,"cause":0,"kind":"joints","angles":{"HeadYaw":0.0}}
//! {"n":2,"t":1000000000,"cause":0,"kind":"joints","angles":{"HeadYaw":0.5}}
//! "#;
//! let run = Recording::read(trace.as_bytes())?;
//! let nao = BodyKind::Nao.body();
//! let mut postures = Sampled::of(&run, nao).expect("joint angles in the trace");
//! let mut file = std::io::Cursor::new(Vec::new());
//! let written = bag::write(&mut file, &run, nao, &mut postures, &Times::of(&run))?;
//! assert_eq!(written.postures, 51, "50 a second, and the first");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bag;
pub mod cdr;
pub mod frames;
pub mod messages;
#[cfg(feature = "ros2")]
pub mod node;
pub mod posture;
pub mod said;
pub mod tf;
pub mod urdf;
