//! A node of a robot that does nothing but tell what it is told, a line for each, until its standard input is closed. Other
//! programs are tried with it (`cargo xtask ros2`).
//!
//! It turns its head, says something twice a second, and plays the behaviors `short` (0.3 s), `long` (a minute, until it is
//! stopped) and `failing`.

use boxstep_bodies::BodyKind;
use boxstep_dynamics::Model;
use boxstep_ros2::messages::geometry_msgs::Twist;
use boxstep_ros2::messages::naoqi_bridge_msgs::JointAnglesWithSpeed;
use boxstep_ros2::messages::std_msgs::Text;
use boxstep_ros2::node::{Actor, Node, NodeWish, Playing};
use boxstep_ros2::posture::{Posture, standing};
use boxstep_ros2::said::{self, Said};
use futures::channel::oneshot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// Tells what it is told.
struct Teller;

impl Actor for Teller {
    fn say(&self, text: &str) {
        println!("say {text}");
    }

    fn walk(&self, speed: &Twist) {
        println!("walk {:?} {:?} {:?}", speed.linear.x, speed.linear.y, speed.angular.z);
    }

    fn angles(&self, wanted: &JointAnglesWithSpeed) {
        let (names, angles) = (wanted.joint_names.join(","), &wanted.joint_angles);
        println!("angles {names} {angles:?} {:?} {}", wanted.speed, wanted.relative);
    }

    fn play(&self, behavior: &str) -> Result<Playing, String> {
        println!("play {behavior}");
        let (seconds, no_errors) = match behavior {
            "short" => (0.3, true),
            "failing" => (0.1, false),
            "long" => (60.0, true),
            _ => return Err("there is no such behavior".to_owned()),
        };
        let (over, end) = oneshot::channel();
        let (stop, stopped) = channel();
        std::thread::spawn(move || {
            let stopped = stopped.recv_timeout(Duration::from_secs_f64(seconds)).is_ok();
            println!("{}", if stopped { "stopped" } else { "ended" });
            over.send(no_errors && !stopped)
        });
        let stop = Mutex::new(stop);
        let stop = move || {
            let _ = stop.lock().map(|stop| stop.send(()));
        };
        Ok(Playing { end, stop: Box::new(stop) })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = std::env::args().nth(1).map_or(Ok(0), |number| number.parse())?;
    let body = BodyKind::Nao.body();
    let model = Model::new(body);
    let wish = NodeWish { name: "boxstep".to_owned(), domain, network: false };
    let node = Node::start(&wish, body, Arc::new(Teller))?;
    println!("ready");
    let over = Arc::new(AtomicBool::new(false));
    let flag = over.clone();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        flag.store(true, Ordering::Relaxed);
    });
    let mut angles = model.awake();
    for count in 0_u32.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        if let Some(yaw) = angles.first_mut() {
            *yaw = 0.5 * (f64::from(count) / 50.0).sin();
        }
        let torso = standing(&model, &angles);
        node.posture(now.as_nanos() as i64, &Posture { angles: angles.clone(), torso });
        if count % 25 == 0 {
            node.say(Said::Speech(Text { data: format!("Grüße {count}") }));
            node.say(said::touched("LeftBumperPressed", &1.0.into()).ok_or("a bumper")?);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
