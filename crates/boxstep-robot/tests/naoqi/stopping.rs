//! The robot stops, or it is said that it may not have.

use super::*;

fn moving(stand_in: &StandIn) -> Driven {
    let mut nao = Driven::new(options(stand_in));
    nao.begin("ALMotion", "angleInterpolationWithSpeed", &[text("HeadYaw"), Value::Float(1.0), Value::Float(0.1)])
        .unwrap();
    nao.begin("ALMotion", "moveTo", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap();
    nao.begin("ALTextToSpeech", "say", &[text("a long story")]).unwrap();
    assert!(stand_in.until(|asked| asked.iter().any(|(name, _)| name == "ALTextToSpeech.say")));
    nao
}

#[test]
fn a_halt_stops_joints_walk_speech_and_sounds() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    nao.halt(Halt::Safely);
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    let names = stand_in.names();
    for stop in [
        "ALMotion.stopMove",
        "ALMotion.killTasksUsingResources",
        "ALRobotPosture.stopMove",
        "ALTextToSpeech.stopAll",
        "ALAudioPlayer.stopAll",
    ] {
        assert!(names.iter().any(|name| name == stop), "{stop} in {names:?}");
    }
    assert_eq!(stand_in.open(), [""; 0], "nothing goes on");
}

#[test]
fn a_walk_is_ended_at_the_end_of_a_run_and_a_robot_that_stands_is_left_alone() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    nao.halt(Halt::Walk);
    assert_eq!(nao.robot.coming_to_rest(), None);
    nao.call("ALMotion", "moveToward", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap();
    stand_in.silence("ALMotion.stopMove");
    nao.halt(Halt::Walk);
    assert_eq!(nao.robot.coming_to_rest().map(|(does, _)| does.to_string()).as_deref(), Some("walking"));
    assert!(stand_in.until_asked("ALMotion.stopMove", 1));
    stand_in.end("ALMotion.stopMove");
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    assert_eq!(nao.robot.coming_to_rest(), None);
    assert_eq!(stand_in.names().iter().filter(|n| **n == "ALMotion.stopMove").count(), 1);
}

#[test]
fn a_robot_that_does_not_confirm_is_told_again_over_a_connection_of_its_own_and_then_it_is_said() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    stand_in.silence("ALMotion.stopMove");
    nao.halt(Halt::Safely);
    let said = nao.handle.settle(Duration::from_millis(600));
    assert_eq!(said, ["nao.local has not confirmed ALMotion.stopMove"]);
    let times = stand_in.names().iter().filter(|n| **n == "ALMotion.stopMove").count();
    assert_eq!(times, 2, "once over each connection");
}

#[test]
fn a_stop_that_could_not_be_sent_is_sent_when_the_robot_is_back() {
    let stand_in = StandIn::start().unwrap();
    let address = stand_in.address();
    let mut nao = moving(&stand_in);
    stand_in.close();
    assert!(nao.warning().contains("connection lost"));
    nao.halt(Halt::Safely);
    let again = StandIn::start_at(address).unwrap();
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    assert!(again.names().iter().any(|name| name == "ALMotion.stopMove"), "{:?}", again.names());
}

#[test]
fn a_robot_that_is_gone_cannot_be_told_and_that_is_said_in_time() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    stand_in.close();
    assert!(nao.warning().contains("connection lost"));
    nao.halt(Halt::Safely);
    let said = nao.handle.settle(Duration::from_millis(200));
    assert!(said.iter().any(|s| s == "nao.local could not be told ALMotion.stopMove"), "{said:?}");
}
