//! A link between clients and a robot that is cut after a number of messages.
#![allow(clippy::unwrap_used, unreachable_pub)]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// When the link is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Never,
    /// After this message; later connections are passed on.
    Once(usize),
    /// After this message, and no connection is accepted any more.
    ForGood(usize),
}

/// The state that all threads of a link share.
struct State {
    /// The number of messages that were passed on, in both directions.
    messages: usize,
    open: Vec<TcpStream>,
    /// Connections that are not cut have this number.
    era: usize,
    over: bool,
}

/// The link.
pub struct Wire {
    address: SocketAddr,
    cut: Cut,
    state: Arc<Mutex<State>>,
}

impl Wire {
    /// Connects to a robot; `then` is called after the cut, while nothing passes.
    pub fn start(robot: &str, cut: Cut, then: impl Fn() + Send + Sync + 'static) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { messages: 0, open: Vec::new(), era: 0, over: false }));
        let (robot, shared, then) = (robot.to_owned(), state.clone(), Arc::new(then));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let mut state = shared.lock().unwrap();
                if state.over {
                    return;
                }
                let Ok(robot) = TcpStream::connect(&robot) else { return };
                client.set_nodelay(true).unwrap();
                robot.set_nodelay(true).unwrap();
                state.open.extend([client.try_clone().unwrap(), robot.try_clone().unwrap()]);
                let era = state.era;
                drop(state);
                for (from, to) in [(&client, &robot), (&robot, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (shared, then) = (shared.clone(), then.clone());
                    std::thread::spawn(move || pass(from, to, era, cut, address, &shared, &*then));
                }
            }
        });
        Wire { address, cut, state }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns whether there are connections after the cut.
    pub fn comes_back(&self) -> bool {
        !matches!(self.cut, Cut::ForGood(_))
    }

    /// Returns the number of messages that were passed on.
    pub fn messages(&self) -> usize {
        self.state.lock().unwrap().messages
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap();
        state.over = true;
        end(&mut state);
        drop(state);
        // Wakes the accepting thread.
        let _ = TcpStream::connect(self.address);
    }
}

fn end(state: &mut State) {
    state.era += 1;
    for open in state.open.drain(..) {
        let _ = open.shutdown(Shutdown::Both);
    }
}

/// Passes whole messages on in one direction.
fn pass(
    mut from: TcpStream,
    mut to: TcpStream,
    era: usize,
    cut: Cut,
    address: SocketAddr,
    state: &Mutex<State>,
    then: &(dyn Fn() + Send + Sync),
) {
    let mut message = vec![0; 28];
    loop {
        message.resize(28, 0);
        if from.read_exact(&mut message).is_err() {
            break;
        }
        let size = u32::from_le_bytes([message[8], message[9], message[10], message[11]]) as usize;
        message.resize(28 + size, 0);
        if from.read_exact(&mut message[28..]).is_err() {
            break;
        }
        let mut state = state.lock().unwrap();
        if state.era != era || to.write_all(&message).is_err() {
            break;
        }
        state.messages += 1;
        let at = state.messages;
        if cut == Cut::Once(at) || cut == Cut::ForGood(at) {
            state.over = matches!(cut, Cut::ForGood(_));
            then();
            end(&mut state);
            drop(state);
            if matches!(cut, Cut::ForGood(_)) {
                let _ = TcpStream::connect(address);
            }
            return;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
