//! Differences between operating systems.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

/// Has the system probe an idle peer, and close the connection if the peer has not answered for this time.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn keep_alive(stream: &TcpStream, within: Duration) -> io::Result<()> {
    use rustix::net::sockopt;
    // The system waits for half the time, then sends three probes.
    let within = within.max(Duration::from_secs(3));
    let seconds = |d: Duration| Duration::from_secs(d.as_secs().max(1));
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, seconds(within / 2))?;
    sockopt::set_tcp_keepintvl(stream, seconds(within / 6))?;
    sockopt::set_tcp_keepcnt(stream, 3)?;
    // Probes are sent only while no data is unacknowledged; this timeout covers unacknowledged data.
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, u32::try_from(within.as_millis()).unwrap_or(u32::MAX))?;
    Ok(())
}

/// Does nothing: the standard library has no such option.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn keep_alive(_: &TcpStream, _: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::net::sockopt;

    #[test]
    fn keep_alive_is_configured() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        keep_alive(&stream, Duration::from_secs(20)).unwrap();
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        let asked = sockopt::tcp_keepintvl(&stream).unwrap() * sockopt::tcp_keepcnt(&stream).unwrap();
        let given_up = sockopt::tcp_keepidle(&stream).unwrap() + asked;
        assert!(given_up <= Duration::from_secs(20), "{given_up:?}");
        assert_eq!(sockopt::tcp_user_timeout(&stream).unwrap(), 20_000);
    }
}
