//! Joint angles of traces.

use crate::support::run;
use boxstep_bodies::BodyKind;
use boxstep_dynamics::Model;
use boxstep_ros2::posture::{Postures, Sampled, standing};
use boxstep_types::Time;

#[test]
fn joints_move_evenly_between_samples_and_stay_outside_of_them() {
    let run = run(&[
        r#"{"schema":1,"body":"nao"}"#,
        r#"{"n":1,"t":100000000,"cause":0,"kind":"joints","angles":{"HeadYaw":0.0,"Tail":3.0}}"#,
        r#"{"n":2,"t":200000000,"cause":0,"kind":"joints","angles":{"HeadYaw":1.0}}"#,
        r#"{"n":3,"t":200000000,"cause":0,"kind":"joints","angles":{"HeadYaw":2.0}}"#,
        r#"{"n":4,"t":300000000,"cause":0,"kind":"joints","angles":{"HeadPitch":0.5}}"#,
    ]);
    let body = BodyKind::Nao.body();
    let (yaw, knee) = (body.joint_index("HeadYaw").unwrap(), body.joint_index("LKneePitch").unwrap());
    let mut sampled = Sampled::of(&run, body).unwrap();
    let mut yaw_at = |millis: i64| sampled.at(Time::from_millis(millis)).unwrap().angles[yaw];
    let found: Vec<f64> = [0, 100, 150, 200, 250, 900].map(&mut yaw_at).into();
    let expected = [0.0, 0.0, 1.0, 2.0, 2.0, 2.0];
    assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?}");
    let last = sampled.at(Time::from_millis(901)).unwrap();
    assert_eq!(last.angles[knee], Model::new(body).awake()[knee], "no sample says anything about it");
    assert_eq!(last.torso, standing(&Model::new(body), &last.angles));
}

#[test]
fn a_robot_that_falls_is_where_physics_has_it() {
    let run = run(&[
        r#"{"schema":1,"body":"nao"}"#,
        r#"{"n":1,"t":0,"cause":0,"kind":"joints","angles":{"HeadYaw":0.0},"torso":[0,0,0.3,0,0,0,1]}"#,
        r#"{"n":2,"t":1000000000,"cause":0,"kind":"joints","angles":{"HeadYaw":0.0},"torso":[1,0,0.1,0,0.7071067811865476,0,0.7071067811865476]}"#,
    ]);
    let mut sampled = Sampled::of(&run, BodyKind::Nao.body()).unwrap();
    let half = sampled.at(Time::from_millis(500)).unwrap().torso;
    assert!((half.translation.x - 0.5).abs() < 1e-9 && (half.translation.z - 0.2).abs() < 1e-9);
    let (_, pitch, _) = half.rotation.euler_angles();
    assert!((pitch - std::f64::consts::FRAC_PI_4).abs() < 1e-9, "{pitch}");
}

#[test]
fn a_run_without_angles_of_the_body_has_no_postures() {
    let none = run(&[r#"{"schema":1,"body":"nao"}"#]);
    assert!(Sampled::of(&none, BodyKind::Nao.body()).is_none());
    let others =
        run(&[r#"{"schema":1,"body":"nao"}"#, r#"{"n":1,"t":0,"cause":0,"kind":"joints","angles":{"Tail":1.0}}"#]);
    assert!(Sampled::of(&others, BodyKind::Nao.body()).is_none());
}
