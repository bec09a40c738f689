//! The robot stops, or a message says that it may not have.

use super::*;

fn moving(stand_in: &StandIn) -> Driven {
    let mut nao = Driven::new(options(stand_in));
    nao.begin("ALMotion", "angleInterpolationWithSpeed", &[text("HeadYaw"), Value::Float(1.0), Value::Float(0.1)])
        .unwrap();
    nao.begin("ALMotion", "moveTo", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap();
    nao.begin("ALTextToSpeech", "say", &[text("a long story")]).unwrap();
    // These calls run at the same time.
    for what in ["ALMotion.angleInterpolationWithSpeed", "ALMotion.moveTo", "ALTextToSpeech.say"] {
        assert!(stand_in.until_asked(what, 1));
    }
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
fn the_end_of_a_run_stops_a_walk_and_sends_nothing_to_a_standing_robot() {
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
fn unconfirmed_stops_are_sent_again_over_a_new_connection_and_reported() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    stand_in.silence("ALMotion.stopMove");
    nao.halt(Halt::Safely);
    let said = nao.handle.settle(Duration::from_millis(600));
    assert_eq!(said, ["nao.local has not confirmed ALMotion.stopMove: the robot may still move"]);
    let times = stand_in.names().iter().filter(|n| **n == "ALMotion.stopMove").count();
    assert_eq!(times, 2, "once over each connection");
}

#[test]
fn unsent_stops_are_sent_after_a_reconnect() {
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
fn stops_for_a_robot_that_is_gone_are_reported_in_time() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    stand_in.close();
    assert!(nao.warning().contains("connection lost"));
    nao.halt(Halt::Safely);
    let said = nao.handle.settle(Duration::from_millis(200));
    assert!(
        said.iter().any(|s| s == "nao.local could not be told ALMotion.stopMove: the robot may still move"),
        "{said:?}"
    );
}

fn begin_walk(nao: &mut Driven) -> CallId {
    nao.begin("ALMotion", "moveTo", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap()
}

/// Ends the run, and returns the calls that this sends to the robot.
fn end_run(stand_in: &StandIn, nao: &mut Driven) -> Vec<String> {
    let before = stand_in.names().len();
    nao.halt(Halt::Over);
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    stand_in.names().split_off(before)
}

#[test]
fn the_end_of_a_run_stops_open_calls_and_nothing_else() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    let mut stops = end_run(&stand_in, &mut nao);
    stops.sort_unstable();
    assert_eq!(stops, ["ALMotion.killTasksUsingResources", "ALMotion.stopMove", "ALTextToSpeech.stopAll"]);
    assert_eq!(stand_in.open(), [""; 0], "nothing goes on");
    assert_eq!(end_run(&stand_in, &mut nao), [""; 0], "what has ended is not ended again");
}

#[test]
fn the_end_of_an_idle_run_sends_nothing() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = moving(&stand_in);
    for open in ["ALMotion.angleInterpolationWithSpeed", "ALTextToSpeech.say", "ALMotion.moveTo"] {
        stand_in.end(open);
    }
    for _ in 0..3 {
        nao.until(|effect| matches!(effect, Effect::Complete(..)).then_some(()));
    }
    assert_eq!(end_run(&stand_in, &mut nao), [""; 0]);
    // A walk at a velocity, ended by the box that started it.
    nao.call("ALMotion", "moveToward", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap();
    nao.call("ALMotion", "stopMove", &[]).unwrap();
    assert_eq!(end_run(&stand_in, &mut nao), [""; 0]);
}

#[test]
fn actions_of_answered_calls_are_stopped_at_the_end() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    type Row = (&'static str, &'static str, Vec<Value>, &'static str, Vec<Value>);
    let table: [Row; 5] = [
        ("ALTracker", "track", vec![text("Face")], "stopTracker", vec![]),
        ("ALBehaviorManager", "startBehavior", vec![text("dance")], "stopBehavior", vec![text("dance")]),
        (
            "ALMotion",
            "setBreathEnabled",
            vec![text("Body"), true.into()],
            "setBreathEnabled",
            vec![text("Body"), false.into()],
        ),
        ("ALMotion", "moveToward", vec![1.into(), 0.into(), 0.into()], "stopMove", vec![]),
        (
            "ALMotion",
            "setAngles",
            vec![text("HeadYaw"), 1.0.into(), 0.01.into()],
            "killTasksUsingResources",
            vec![Value::list([text("HeadYaw")])],
        ),
    ];
    for (service, begins, args, ends, with) in table {
        nao.call(service, begins, &args).unwrap();
        assert_eq!(end_run(&stand_in, &mut nao), [format!("{service}.{ends}")]);
        assert_eq!(stand_in.asked().pop().unwrap().1.len(), with.len());
        // The run itself ends the action.
        nao.call(service, begins, &args).unwrap();
        nao.call(service, ends, &with).unwrap();
        if begins != "setAngles" {
            assert_eq!(end_run(&stand_in, &mut nao), [""; 0], "{service}.{begins}");
        }
    }
    stand_in.fail("ALTracker.track", "no such target");
    nao.call("ALTracker", "track", &[text("Nobody")]).unwrap_err();
    assert_eq!(end_run(&stand_in, &mut nao), [""; 0], "what has failed has begun nothing");
}

#[test]
fn an_unconfirmed_stop_of_one_call_is_reported_at_the_end() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let walk = begin_walk(&mut nao);
    assert!(stand_in.until_asked("ALMotion.moveTo", 1));
    stand_in.silence("ALMotion.stopMove");
    nao.cancel(walk);
    assert_eq!(
        nao.handle.settle(Duration::from_millis(400)),
        ["nao.local has not confirmed ALMotion.stopMove: the robot may still move"]
    );
}

#[test]
fn lights_are_canceled_and_reported_if_they_continue() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    nao.begin("ALLeds", "rasta", &[5.0.into()]).unwrap();
    nao.begin("ALLeds", "rotateEyes", &[0.into(), 1.0.into(), 5.0.into()]).unwrap();
    assert!(stand_in.until_asked("ALLeds.rotateEyes", 1));
    assert_eq!(end_run(&stand_in, &mut nao), [""; 0], "NAOqi has no command that ends them");
    assert_eq!(nao.handle.unstoppable_actions(), ["nao.local: ALLeds.rotateEyes continues to its own end"]);
}

#[test]
fn an_unanswered_call_is_reported_at_the_end() {
    for (service, method, still, args) in [
        ("ALTextToSpeech", "say", "speak", vec![text("a long story")]),
        ("ALPhotoCapture", "takePicture", "be doing it", vec![text("/tmp"), text("me")]),
    ] {
        let stand_in = StandIn::start().unwrap();
        stand_in.silence(&format!("{service}.{method}"));
        let mut nao = Driven::new(options(&stand_in));
        nao.begin(service, method, &args).unwrap();
        assert!(stand_in.until_asked(&format!("{service}.{method}"), 1));
        nao.halt(Halt::Over);
        let said = nao.handle.settle(Duration::from_millis(200));
        assert_eq!(said, [format!("nao.local has not answered {service}.{method}: the robot may still {still}")]);
        assert_eq!(nao.handle.unstoppable_actions(), [""; 0], "once is enough");
        // Also if the caller has canceled the call.
        let mut nao = Driven::new(options(&stand_in));
        let id = nao.begin(service, method, &args).unwrap();
        assert!(stand_in.until_asked(&format!("{service}.{method}"), 2));
        nao.cancel(id);
        nao.halt(Halt::Over);
        let said = nao.handle.settle(Duration::from_millis(200));
        assert_eq!(said, [format!("nao.local has not answered {service}.{method}: the robot may still {still}")]);
    }
}

#[test]
fn actions_interrupted_by_a_lost_link_are_stopped_after_a_reconnect() {
    let stand_in = StandIn::start().unwrap();
    let address = stand_in.address();
    let mut nao = moving(&stand_in);
    stand_in.close();
    for _ in 0..3 {
        nao.until(|effect| matches!(effect, Effect::Complete(_, Err(_))).then_some(()));
    }
    let again = StandIn::start_at(address).unwrap();
    nao.halt(Halt::Over);
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    for stop in ["ALMotion.killTasksUsingResources", "ALMotion.stopMove", "ALTextToSpeech.stopAll"] {
        assert!(again.names().iter().any(|name| name == stop), "{stop} in {:?}", again.names());
    }
}
