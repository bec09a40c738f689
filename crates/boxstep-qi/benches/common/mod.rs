//! Helpers of the benchmarks.

use boxstep_qi::{Address, Capabilities, HEADER, Header, Kind, Remote};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub(crate) type Failure = Box<dyn std::error::Error>;

pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

pub(crate) fn timed(count: usize, mut run: impl FnMut() -> Result<(), Failure>) -> Result<Vec<f64>, Failure> {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let begin = Instant::now();
        run()?;
        times.push(micros(begin.elapsed()));
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

pub(crate) fn rate(times: &[f64]) -> f64 {
    times.len() as f64 * 1e6 / times.iter().sum::<f64>()
}

pub(crate) fn at(times: &[f64], percent: usize) -> f64 {
    times[times.len() * percent / 100]
}

/// The least that a client can do: write a call, and read until the answer arrives.
pub(crate) struct Bare {
    stream: TcpStream,
    call: Vec<u8>,
}

impl Bare {
    pub(crate) fn connect(address: &str, service: &Remote) -> Result<Bare, Failure> {
        let (action, _) = service.meta().methods_named("add").next().ok_or("there is no method add")?;
        let mut stream = TcpStream::connect(address.trim_start_matches("tcp://"))?;
        stream.set_nodelay(true)?;
        let payload = Capabilities::ours().encode()?;
        let header =
            |size: usize, address| Header { id: 1, size: size as u32, version: 0, kind: Kind::Call, flags: 0, address };
        let hello = header(payload.len(), Address { service: 0, object: 0, action: 8 });
        stream.write_all(&[&hello.encode()[..], &payload].concat())?;
        boxstep_qi::read_message(&mut stream, 1 << 20)?;
        let add = header(8, Address { service: service.service_id(), object: 1, action });
        Ok(Bare { stream, call: [&add.encode()[..], &[1, 0, 0, 0, 2, 0, 0, 0]].concat() })
    }

    pub(crate) fn call(&mut self) -> std::io::Result<()> {
        self.stream.write_all(&self.call)?;
        let mut answer = [0; HEADER + 4];
        self.stream.read_exact(&mut answer)
    }
}
