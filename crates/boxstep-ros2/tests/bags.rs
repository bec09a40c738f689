//! Recordings, read back with a reader of MCAP.

use crate::support::{bodies, of_topic, own_body, read, run, written};
use boxstep_bodies::{Body, BodyKind};
use boxstep_ros2::bag::{self, Times};
use boxstep_ros2::messages::naoqi_bridge_msgs::{Bumper, HandTouch, HeadTouch};
use boxstep_ros2::messages::rcl_interfaces::Log;
use boxstep_ros2::messages::sensor_msgs::JointState;
use boxstep_ros2::messages::std_msgs::Text;
use boxstep_ros2::messages::tf2_msgs::TfMessage;
use boxstep_ros2::posture::Unknown;
use boxstep_ros2::urdf;
use boxstep_trace::Recording;
use std::io::Cursor;

/// The trace of a run of a second, of a body whose first joint moves by 0.5.
fn moving(body: &Body) -> Recording {
    let joint = body.joints[0].name;
    let angles = |n: u32, t: u32, angle: f64| {
        format!(r#"{{"n":{n},"t":{t},"cause":0,"kind":"joints","angles":{{"{joint}":{angle}}}}}"#)
    };
    let header = format!(r#"{{"schema":1,"body":"{}","epoch":1577836800}}"#, body.name);
    run(&[&header, &angles(1, 0, 0.0), &angles(2, 1_000_000_000, 0.5)])
}

#[test]
fn each_body_has_its_joints_frames_and_description() {
    for body in bodies() {
        let (bytes, counted) = written(&moving(body), body);
        let all = read(&bytes);
        let states = of_topic(&all, "/joint_states");
        assert_eq!((states.len(), counted.postures, counted.topics["/joint_states"]), (51, 51, 51), "{body}");
        let last: JointState = states[50].message();
        assert_eq!(last.name, body.joints.iter().map(|joint| joint.name).collect::<Vec<_>>());
        assert_eq!((last.position.len(), last.position[0]), (last.name.len(), 0.5));
        assert_eq!((last.header.stamp.sec, last.header.stamp.nanosec), (1_577_836_801, 0));
        assert_eq!(states[50].at, 1_577_836_801_000_000_000);
        let half: JointState = states[25].message();
        assert!((half.position[0] - 0.25).abs() < 1e-12);
        let description: Text = of_topic(&all, "/robot_description")[0].message();
        assert_eq!(description.data, urdf::of(body));
        // Every frame is named once, and every parent is a frame or the world.
        let mut frames: TfMessage = of_topic(&all, "/tf")[0].message();
        for fixed in of_topic(&all, "/tf_static") {
            frames.transforms.extend(fixed.message::<TfMessage>().transforms);
        }
        let names: Vec<&str> = frames.transforms.iter().map(|frame| &*frame.child_frame_id).collect();
        for frame in &frames.transforms {
            let parent = &*frame.header.frame_id;
            assert!(parent == "odom" || names.contains(&parent), "{body}: {parent}");
            assert_eq!(
                names.iter().filter(|name| **name == frame.child_frame_id).count(),
                1,
                "{}",
                frame.child_frame_id
            );
            let turned = frame.transform.rotation;
            let length = [turned.x, turned.y, turned.z, turned.w].iter().map(|part| part * part).sum::<f64>();
            assert!((length - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn a_standing_robot_is_over_the_floor_on_its_footprint() {
    let nao = BodyKind::Nao.body();
    let (bytes, _) = written(&moving(nao), nao);
    let all = read(&bytes);
    let frames: TfMessage = of_topic(&all, "/tf")[0].message();
    let place = |child: &str| frames.transforms.iter().find(|frame| frame.child_frame_id == child).unwrap().transform;
    let (body, foot) = (place("base_link").translation, place("base_footprint").translation);
    assert!((body.z - 0.32).abs() < 0.01, "{body:?}");
    assert!((body.z + foot.z).abs() < 1e-3, "the footprint is on the floor: {foot:?}");
}

#[test]
fn what_happens_has_the_messages_of_the_driver() {
    let lines = [
        r#"{"schema":1,"body":"nao","epoch":10,"files":{"a.xar":"00"}}"#,
        r#"{"n":1,"t":0,"cause":0,"path":"root/Say","kind":"act","act":"say","text":"Grüß Gott, 世界!"}"#,
        r#"{"n":2,"t":1,"cause":0,"kind":"event","dir":"in","key":"LeftBumperPressed","value":1.0}"#,
        r#"{"n":3,"t":2,"cause":0,"kind":"event","dir":"in","key":"FrontTactilTouched","value":1}"#,
        r#"{"n":4,"t":3,"cause":0,"kind":"event","dir":"in","key":"HandLeftRightTouched","value":true}"#,
        r#"{"n":5,"t":4,"cause":0,"kind":"event","dir":"in","key":"RearTactilTouched","value":0.0}"#,
        r#"{"n":6,"t":5,"cause":0,"kind":"event","dir":"in","key":"BackBumperPressed","value":null}"#,
        r#"{"n":7,"t":6,"cause":0,"path":"root/Go","kind":"raised","method":"onLoad","error":{"kind":"NameError","message":"x\u0000y","line":3,"traceback":""}}"#,
        r#"{"n":8,"t":7,"cause":0,"path":"root/Go","kind":"unsupported","service":"ALNone","method":"go","line":4}"#,
        r#"{"n":9,"t":8,"cause":0,"path":"root/Go","kind":"some_later_kind","what":"ever"}"#,
        r#"{"n":10,"t":9,"cause":0,"path":"root/Go","kind":"print","text":"hm","stderr":true}"#,
        r#"{"reason":"failed","t":10,"events":10,"errors":1,"unsupported":1,"dropped":0,"warnings":0,"deterministic":true}"#,
    ];
    let (bytes, counted) = written(&run(&lines), BodyKind::Nao.body());
    let all = read(&bytes);
    assert_eq!(counted.postures, 0, "no joint angle is known");
    let one = |topic: &str| *of_topic(&all, topic).first().unwrap_or_else(|| panic!("no {topic}"));
    assert_eq!(one("/speech").message::<Text>().data, "Grüß Gott, 世界!");
    assert_eq!(one("/bumper").message::<Bumper>(), Bumper { bumper: 1, state: 1 });
    assert_eq!(one("/bumper").at, 10_000_000_001);
    let head: Vec<HeadTouch> = of_topic(&all, "/head_touch").iter().map(|touch| touch.message()).collect();
    assert_eq!(head, [HeadTouch { button: 1, state: 1 }, HeadTouch { button: 3, state: 0 }]);
    assert_eq!(one("/hand_touch").message::<HandTouch>(), HandTouch { hand: 5, state: 1 });
    assert_eq!(of_topic(&all, "/bumper").len(), 1, "null is neither pressed nor released");
    let log: Vec<Log> = of_topic(&all, "/rosout").iter().map(|line| line.message()).collect();
    let log: Vec<_> = log.iter().map(|line| (line.level, &*line.name, &*line.msg, line.line)).collect();
    assert_eq!(
        log,
        [
            (Log::ERROR, "root/Go", "NameError: x\u{FFFD}y (line 3)", 3),
            (Log::WARN, "root/Go", "unsupported: ALNone.go", 4),
            (Log::WARN, "root/Go", "hm", 0),
        ]
    );
    let kinds: Vec<&str> = all.iter().map(|message| &*message.kind).collect();
    assert!(kinds.contains(&"naoqi_bridge_msgs/msg/HandTouch"), "{kinds:?}");
    assert!(all.is_sorted_by_key(|message| message.at), "in the order of time");
}

#[test]
fn an_empty_run_and_one_that_was_cut_off_are_recordings() {
    let nao = BodyKind::Nao.body();
    let (bytes, counted) = written(&run(&[r#"{"schema":1,"body":"nao"}"#]), nao);
    let topics: Vec<String> = read(&bytes).into_iter().map(|message| message.topic).collect();
    assert_eq!((topics, counted.postures), (vec!["/robot_description".to_owned(), "/tf_static".to_owned()], 0));
    // The last line has no end, and there is no footer.
    let cut = "{\"schema\":1,\"body\":\"nao\"}\n{\"n\":1,\"t\":0,\"cause\":0,\"kind\":\"joints\",\"angles\":{\"HeadYaw\":0}}\n\
        {\"n\":2,\"t\":100000000,\"cause\":0,\"kind\":\"act\",\"act\":\"say\",\"text\":\"Hi\"}\n{\"n\":3,\"t\":2000";
    let (bytes, counted) = written(&Recording::read(cut.as_bytes()).unwrap(), nao);
    assert_eq!((counted.postures, of_topic(&read(&bytes), "/speech").len()), (6, 1));
}

/// A flight recording has the last minutes of a run: the rest has no postures.
#[test]
fn a_recording_begins_with_its_first_event() {
    let lines = [
        r#"{"schema":1,"body":"nao","clock":"real","started":"2026-01-01T00:00:00Z"}"#,
        r#"{"n":900,"t":3600000000000,"cause":0,"kind":"joints","angles":{"HeadYaw":0.0}}"#,
        r#"{"n":901,"t":3600100000000,"cause":0,"kind":"joints","angles":{"HeadYaw":0.1}}"#,
    ];
    let (bytes, counted) = written(&run(&lines), BodyKind::Nao.body());
    assert_eq!(counted.postures, 6);
    assert_eq!(read(&bytes)[0].at, (1_767_225_600 + 3600) * 1_000_000_000);
}

#[test]
fn the_file_says_what_rosbag2_wants_to_know() {
    let arm = own_body("small-arm/arm.toml");
    let (bytes, _) = written(&moving(arm), arm);
    let summary = mcap::Summary::read(&bytes).unwrap().expect("an index");
    assert_eq!(summary.stats.as_ref().unwrap().message_count, 103);
    // The header of the file: its profile, and who wrote it.
    let header = bytes.windows(4).position(|four| four == b"ros2").unwrap();
    assert!(header < 30, "the profile is in the first record");
    for channel in summary.channels.values() {
        let quality = &channel.metadata["offered_qos_profiles"];
        let latched = channel.topic == "/robot_description";
        assert_eq!(quality.contains("durability: 1\n"), latched, "{}", channel.topic);
        assert!(quality.starts_with("- history: 1\n  depth: ") && quality.contains("\n  reliability: 1\n"));
    }
}

#[test]
fn a_run_of_more_than_a_day_is_refused_with_its_line() {
    let nao = BodyKind::Nao.body();
    let refused = |lines: &[&str]| {
        let run = run(lines);
        let mut postures = Unknown;
        let why = bag::write(Cursor::new(Vec::new()), &run, nao, &mut postures, &Times::of(&run)).unwrap_err();
        why.to_string()
    };
    let header = r#"{"schema":1,"body":"nao"}"#;
    let at = |n: u64, t: i64| format!(r#"{{"n":{n},"t":{t},"cause":0,"kind":"joints","angles":{{"HeadYaw":0.0}}}}"#);
    let end = |t: i64| {
        format!(
            r#"{{"reason":"ended","t":{t},"events":1,"errors":0,"unsupported":0,"dropped":0,"warnings":0,"deterministic":true}}"#
        )
    };
    let day = 24 * 3600 * 1_000_000_000;
    assert!(refused(&[header, &at(1, 0), &at(2, i64::MAX)]).starts_with("line 3: its time is 9223372036.8"));
    assert!(refused(&[header, &at(1, 0), &end(day + 1)]).starts_with("line 3: its time is 86400."));
    assert!(refused(&[header, &at(1, i64::MAX)]).starts_with("line 2: "), "the run has a beginning");
    assert!(refused(&[header, &at(1, i64::MIN), &at(2, 0)]).starts_with("line 3: "));
    // A recording of bounded size may have any day of a run, also the last one that there is.
    let last = run(&[header, &at(900, i64::MAX - 1_000_000_000), &at(901, i64::MAX)]);
    assert_eq!(written(&last, nao).1.postures, 51);
}
