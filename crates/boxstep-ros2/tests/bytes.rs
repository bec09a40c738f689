//! Messages as bytes.

use boxstep_ros2::cdr::{self, CdrError, HEADER};
use boxstep_ros2::messages::builtin_interfaces::Time;
use boxstep_ros2::messages::geometry_msgs::{Twist, Vector3};
use boxstep_ros2::messages::naoqi_bridge_msgs::{Bumper, JointAnglesWithSpeed};
use boxstep_ros2::messages::rcl_interfaces::Log;
use boxstep_ros2::messages::sensor_msgs::JointState;
use boxstep_ros2::messages::std_msgs::{Header, Text};
use boxstep_ros2::messages::tf2_msgs::TfMessage;
use boxstep_ros2::messages::{Message, definition};
use proptest::prelude::*;

fn header(frame_id: &str) -> Header {
    Header { stamp: Time { sec: 1, nanosec: 2 }, frame_id: frame_id.to_owned() }
}

/// Joins the parts of a message, after its first four bytes.
fn joined(parts: &[&[u8]]) -> Vec<u8> {
    [&HEADER[..], &parts.concat()].concat()
}

#[test]
fn numbers_are_aligned_to_their_size_and_texts_end_with_nul() {
    let state = JointState {
        header: header("ab"),
        name: vec!["x".to_owned(), String::new()],
        position: vec![1.0, -2.0],
        velocity: vec![],
        effort: vec![0.5],
    };
    let expected = joined(&[
        &[1, 0, 0, 0, 2, 0, 0, 0],
        // The text with its length, then a byte so that the next number is at a multiple of four.
        &[3, 0, 0, 0, b'a', b'b', 0, 0],
        &[2, 0, 0, 0, 2, 0, 0, 0, b'x', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        // The length of the positions is at 36, so that the numbers follow it at 40 at once.
        &[2, 0, 0, 0],
        &1.0_f64.to_le_bytes(),
        &(-2.0_f64).to_le_bytes(),
        // An empty list is its length; the numbers of the next one follow at 64.
        &[0, 0, 0, 0, 1, 0, 0, 0],
        &0.5_f64.to_le_bytes(),
    ]);
    assert_eq!(cdr::encode(&state), Ok(expected));

    let log = Log { stamp: Time { sec: -1, nanosec: 0 }, level: 40, name: "n".into(), line: 7, ..Log::default() };
    let empty = [1, 0, 0, 0, 0, 0, 0, 0];
    let name = [40, 0, 0, 0, 2, 0, 0, 0, b'n', 0, 0, 0];
    let expected = joined(&[&[255, 255, 255, 255, 0, 0, 0, 0], &name, &empty, &empty, &empty, &[7, 0, 0, 0]]);
    assert_eq!(cdr::encode(&log), Ok(expected));

    let bumper = Bumper { bumper: 2, state: 1 };
    assert_eq!(cdr::encode(&bumper), Ok(joined(&[&[2, 1]])));
}

#[test]
fn lists_of_structures_are_aligned_inside_the_whole_message() {
    let frame = boxstep_ros2::tf::placed(
        Time::default(),
        "odom",
        "base",
        &boxstep_dynamics::Isometry3::translation(1.0, 2.0, 3.0),
    );
    let bytes = cdr::encode(&TfMessage { transforms: vec![frame.clone(), frame] }).unwrap();
    let numbers: Vec<u8> = [1.0_f64, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let time = [0; 8];
    let odom = [5, 0, 0, 0, b'o', b'd', b'o', b'm', 0, 0, 0, 0];
    let base = [5, 0, 0, 0, b'b', b'a', b's', b'e', 0];
    // The numbers of the first one begin at 40, those of the second one at 136, both multiples of eight.
    let expected =
        joined(&[&[2, 0, 0, 0], &time, &odom, &base, &[0; 7], &numbers, &time, &odom, &base, &[0; 3], &numbers]);
    assert_eq!((bytes.len(), bytes), (expected.len(), expected));
}

#[test]
fn texts_keep_their_bytes() {
    for text in ["", "a", "Grüß Gott", "日本語", "a\0b", "\0"] {
        let message = Text { data: text.to_owned() };
        let bytes = cdr::encode(&message).unwrap();
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        assert_eq!((length as usize, bytes.last()), (text.len() + 1, Some(&0)));
        assert_eq!(cdr::decode::<Text>(&bytes), Ok(message));
    }
}

#[test]
fn both_byte_orders_are_read() {
    let bytes = [&[0, 0, 0, 0][..], &[0, 0, 0, 3, b'h', b'i', 0]].concat();
    assert_eq!(cdr::decode::<Text>(&bytes), Ok(Text { data: "hi".to_owned() }));
    let padded = [&[0, 1, 0, 1][..], &[3, 0, 0, 0, b'h', b'i', 0, 0]].concat();
    assert_eq!(cdr::decode::<Text>(&padded), Ok(Text { data: "hi".to_owned() }));
}

#[test]
fn what_is_no_message_is_an_error() {
    assert_eq!(cdr::decode::<Text>(&[0, 1]), Err(CdrError::Encoding(vec![0, 1])));
    assert_eq!(cdr::decode::<Text>(&[0, 3, 0, 0, 1, 0, 0, 0, 0]), Err(CdrError::Encoding(vec![0, 3, 0, 0])));
    // A length that nothing can have.
    let long = [&HEADER[..], &[255; 4]].concat();
    assert!(matches!(cdr::decode::<Text>(&long), Err(CdrError::Unreadable(_))));
    let long = [&HEADER[..], &[0; 8], &[1, 0, 0, 0, 0, 0, 0, 0], &[255; 4]].concat();
    assert!(matches!(cdr::decode::<JointState>(&long), Err(CdrError::Unreadable(_))));
    // Cut off anywhere.
    let twist = Twist { linear: Vector3 { x: 1.0, ..Vector3::default() }, ..Twist::default() };
    let whole = cdr::encode(&twist).unwrap();
    for length in 4..whole.len() {
        assert!(cdr::decode::<Twist>(&whole[..length]).is_err(), "{length}");
    }
    assert_eq!(cdr::decode(&whole), Ok(twist));
}

#[test]
fn times_that_do_not_fit_become_the_nearest() {
    assert_eq!(Time::from_nanos(1_500_000_000), Time { sec: 1, nanosec: 500_000_000 });
    assert_eq!(Time::from_nanos(-1), Time { sec: -1, nanosec: 999_999_999 });
    assert_eq!(Time::from_nanos(i64::MAX).sec, i32::MAX);
    assert_eq!(Time::from_nanos(i64::MIN).sec, i32::MIN);
    assert_eq!(Time::from_nanos(-1).nanos(), -1);
}

/// Every type that a definition names is defined in it, once.
#[test]
fn definitions_are_complete() {
    let definitions = [
        (JointState::TYPE, definition::<JointState>()),
        (TfMessage::TYPE, definition::<TfMessage>()),
        (Log::TYPE, definition::<Log>()),
        (Twist::TYPE, definition::<Twist>()),
        (JointAnglesWithSpeed::TYPE, definition::<JointAnglesWithSpeed>()),
        (Text::TYPE, definition::<Text>()),
        (Bumper::TYPE, definition::<Bumper>()),
    ];
    for (name, text) in definitions {
        let defined: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("MSG: ")).collect();
        for line in text.lines().filter(|line| !line.starts_with(['=', 'M'])) {
            let (kind, _) = line.split_once(' ').unwrap();
            let kind = kind.trim_end_matches("[]");
            if kind.contains('/') {
                assert_eq!(defined.iter().filter(|known| **known == kind).count(), 1, "{name}: {kind}");
            }
        }
    }
}

proptest! {
    #[test]
    fn messages_are_read_as_they_were_written(
        sec in any::<i32>(), nanosec in 0..1_000_000_000_u32, frame_id in "\\PC*",
        joint_names in proptest::collection::vec("[^\0]{0,9}", 0..5),
        joint_angles in proptest::collection::vec(-9.0_f32..9.0, 0..5),
        speed in 0.0_f32..1.0, relative in any::<u8>(),
    ) {
        let header = Header { stamp: Time { sec, nanosec }, frame_id };
        let message = JointAnglesWithSpeed { header, joint_names, joint_angles, speed, relative };
        let bytes = cdr::encode(&message).unwrap();
        prop_assert_eq!(cdr::decode(&bytes), Ok(message));
    }

    #[test]
    fn nothing_makes_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let bytes = [&HEADER[..], &bytes].concat();
        let _ = cdr::decode::<JointState>(&bytes);
        let _ = cdr::decode::<TfMessage>(&bytes);
        let _ = cdr::decode::<JointAnglesWithSpeed>(&bytes);
    }
}
