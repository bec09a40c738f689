//! Options of sockets that the standard library does not have.

use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::TcpStream;
use std::time::Duration;

/// The number of probes. Windows always sends ten.
const PROBES: u32 = if cfg!(windows) { 10 } else { 3 };

/// The shortest time that whole seconds between the probes allow.
const SHORTEST: Duration = Duration::from_secs(if cfg!(windows) { 20 } else { 3 });

/// Has the system probe an idle peer, and close the connection if the peer has not answered for this time.
pub(crate) fn keep_alive(stream: &TcpStream, within: Duration) -> io::Result<()> {
    // The system waits for half the time, then sends its probes.
    let within = within.max(SHORTEST);
    let seconds = |d: Duration| Duration::from_secs(d.as_secs().max(1));
    let probes = TcpKeepalive::new().with_time(seconds(within / 2)).with_interval(seconds(within / 2 / PROBES));
    #[cfg(not(windows))]
    let probes = probes.with_retries(PROBES);
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&probes)?;
    // Probes are sent only while no data is unacknowledged; this timeout covers unacknowledged data.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(within))?;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn keep_alive_is_configured() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        keep_alive(&stream, Duration::from_secs(20)).unwrap();
        let socket = SockRef::from(&stream);
        assert!(socket.keepalive().unwrap());
        let asked = socket.tcp_keepalive_interval().unwrap() * socket.tcp_keepalive_retries().unwrap();
        let given_up = socket.tcp_keepalive_time().unwrap() + asked;
        assert!(given_up <= Duration::from_secs(20), "{given_up:?}");
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(Duration::from_secs(20)));
    }
}
