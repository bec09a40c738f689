//! Links that break, robots that are not there, and those that come back.

use super::*;

fn refused(options: NaoqiOptions) -> String {
    NaoqiRobot::connect(options).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn an_unreachable_robot_is_reported_immediately() {
    let stand_in = StandIn::start().unwrap();
    let options = options(&stand_in);
    stand_in.close();
    let words = refused(options);
    assert!(words.starts_with("nao.local: nothing listens at") && words.ends_with("connection refused"), "{words}");
    assert!(refused(NaoqiOptions::new("http://nao.local")).contains("is not the address of a robot"));
}

#[test]
fn an_unreachable_robot_is_waited_for_on_request() {
    let stand_in = StandIn::start().unwrap();
    let (address, mut options) = (stand_in.address(), options(&stand_in));
    stand_in.close();
    options.wait = true;
    let waiting = std::thread::spawn(move || NaoqiRobot::connect(options).unwrap().facts().language);
    let _here = StandIn::start_at(address).unwrap();
    assert_eq!(waiting.join().unwrap(), "French");
}

#[test]
fn calls_over_a_lost_link_fail_with_the_robots_name() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let id = nao.begin("ALTextToSpeech", "say", &[text("Hello")]).unwrap();
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    stand_in.close();
    let error = nao.answer(id).unwrap_err().message("ALTextToSpeech", "say");
    assert!(error.starts_with("ALTextToSpeech.say: nao.local: connection lost"), "{error}");
    assert!(nao.warning().starts_with("nao.local: connection lost"));
    let later = nao.begin("ALTextToSpeech", "say", &[text("Hello?")]).unwrap_err();
    assert_eq!(later.message("ALTextToSpeech", "say"), "ALTextToSpeech.say: nao.local: connection lost");
}

#[test]
fn events_arrive_again_after_each_of_three_reboots() {
    let mut stand_in = StandIn::start().unwrap();
    let address = stand_in.address();
    let mut nao = Driven::new(options(&stand_in));
    nao.subscribe(&Topic::Memory("Touched".into()), true).unwrap();
    for round in 0..3 {
        stand_in.close();
        assert!(nao.warning().contains("connection lost"), "round {round}");
        stand_in = StandIn::start_at(address).unwrap();
        nao.until(|effect| matches!(effect, Effect::Act(act) if act.text.contains("is back")).then_some(()));
        assert!(stand_in.until_asked("ALMemory.subscriber", 1));
        // "Is back" is reported when everything is set up.
        stand_in.raise("Touched", round);
        assert_eq!(nao.event(), ("Touched".to_owned(), Value::Int(round.into())));
        assert_eq!(nao.call("ALSystem", "systemVersion", &[]), Ok(text("2.5.7.1")));
    }
}

#[test]
fn a_robot_that_stays_away_is_lost() {
    let stand_in = StandIn::start().unwrap();
    let mut options = options(&stand_in);
    options.gone_after = Duration::ZERO;
    let mut nao = Driven::new(options);
    stand_in.close();
    let lost = nao.until(|effect| match effect {
        Effect::Lost(why) => Some(why.clone()),
        _ => None,
    });
    assert!(lost.starts_with("nao.local is lost: nothing listens at"), "{lost}");
}

/// Passes bytes on between clients and a robot, until it is told to hold them. Connections that are open then stay open
/// and silent; new ones are passed on as before.
struct Relay {
    address: std::net::SocketAddr,
    frozen: Arc<std::sync::atomic::AtomicBool>,
}

impl Relay {
    fn start(to: std::net::SocketAddr) -> Self {
        use std::io::{Read as _, Write as _};
        use std::sync::atomic::{AtomicBool, Ordering};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, frozen) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        let hold = frozen.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(robot) = std::net::TcpStream::connect(to) else { return };
                // Later connections are not held.
                let mine = if hold.load(Ordering::Acquire) { Arc::new(AtomicBool::new(false)) } else { hold.clone() };
                for (mut from, mut to) in [
                    (client.try_clone().unwrap(), robot.try_clone().unwrap()),
                    (robot.try_clone().unwrap(), client.try_clone().unwrap()),
                ] {
                    let mine = mine.clone();
                    std::thread::spawn(move || {
                        let mut bytes = [0; 4096];
                        while let Ok(n @ 1..) = from.read(&mut bytes) {
                            if !mine.load(Ordering::Acquire) && to.write_all(&bytes[..n]).is_err() {
                                return;
                            }
                        }
                        if !mine.load(Ordering::Acquire) {
                            let _ = to.shutdown(std::net::Shutdown::Both);
                        }
                    });
                }
            }
        });
        Self { address, frozen }
    }
}

#[test]
fn a_half_open_link_is_replaced_to_stop_the_robot() {
    let stand_in = StandIn::start().unwrap();
    let relay = Relay::start(stand_in.address());
    let mut options = options(&stand_in);
    options.address = relay.address.to_string();
    let mut nao = Driven::new(options);
    nao.begin("ALMotion", "moveTo", &[Value::Int(1), Value::Int(0), Value::Int(0)]).unwrap();
    assert!(stand_in.until_asked("ALMotion.moveTo", 1));
    relay.frozen.store(true, std::sync::atomic::Ordering::Release);
    nao.halt(Halt::Safely);
    assert_eq!(nao.handle.settle(LONG), [""; 0]);
    assert!(stand_in.until_asked("ALMotion.stopMove", 1));
    assert_eq!(stand_in.open(), [""; 0]);
}
