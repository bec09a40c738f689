//! Measures the network over Zenoh on this computer: `cargo run --release -p boxstep-fleet --features zenoh --example
//! zenoh_figures`. It prints the time to open it, to reach another process, and of round trips; and how long it takes
//! until a connection with a process that was killed or stopped counts as broken, and until one that goes on is back.

use boxstep_fleet::network::{Network as _, Received};
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::zenoh::{Options, ZenohNetwork};
use std::error::Error;
use std::process::{Child, Command};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    if let Some(code) = args.next() {
        echo(&code.parse()?)?;
    }
    let code = PairingCode::create()?;
    let start = Instant::now();
    let (network, received) = ZenohNetwork::open(&Options::default(), &code)?;
    println!("open: {:?}", start.elapsed());
    let child = || Command::new(std::env::current_exe()?).arg(code.reveal()).spawn();

    let mut other = child()?;
    let start = Instant::now();
    wait_for(&network, &received, true);
    println!("another process started and reached: {:?}", start.elapsed());
    let mut times: Vec<Duration> = (0..5000).filter_map(|_| round_trip(&network, &received)).collect();
    times.sort();
    println!(
        "round trips: min {:?}, median {:?}, p99 {:?}, max {:?} of {}",
        times[0],
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        times[times.len() - 1],
        times.len()
    );

    for _ in 0..3 {
        signal(&other, "STOP")?;
        // Far more than any queue holds.
        let (start, mut calls) = (Instant::now(), Vec::new());
        while start.elapsed() < Duration::from_secs(4) {
            let call = Instant::now();
            network.send(None, &[0; 60_000]);
            calls.push(call.elapsed());
        }
        calls.sort();
        let slow = calls.iter().filter(|call| **call > Duration::from_millis(5)).count();
        println!(
            "stopped for 4 s: {} messages of 60 kB sent, the longest call {:?}, {slow} above 5 ms",
            calls.len(),
            calls[calls.len() - 1]
        );
        signal(&other, "CONT")?;
        let start = Instant::now();
        wait_for(&network, &received, true);
        println!("reached again {:?} after it went on", start.elapsed());
    }
    other.kill()?;
    other.wait()?;
    wait_for(&network, &received, false);
    let mut other = child()?;
    let start = Instant::now();
    wait_for(&network, &received, true);
    println!("killed, started again and reached: {:?}", start.elapsed());
    signal(&other, "STOP")?;
    let start = Instant::now();
    drop(network);
    println!("end while the other is stopped: {:?}", start.elapsed());
    other.kill()?;
    other.wait()?;
    Ok(())
}

/// Sends back what comes.
fn echo(code: &PairingCode) -> Result<(), Box<dyn Error>> {
    let (network, received) = ZenohNetwork::open(&Options::default(), code)?;
    loop {
        let Received { from, bytes } = received.recv()?;
        network.send(Some(from), &bytes);
    }
}

fn signal(child: &Child, name: &str) -> std::io::Result<()> {
    Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status().map(|_| ())
}

/// Sends a message to all and returns after which time it comes back; `None` if it is lost.
fn round_trip(network: &ZenohNetwork, received: &Receiver<Received>) -> Option<Duration> {
    let start = Instant::now();
    network.send(None, &[0; 64]);
    received.recv_timeout(Duration::from_millis(100)).ok().map(|_| start.elapsed())
}

/// Waits until a message comes back, or none does. Old answers do not count.
fn wait_for(network: &ZenohNetwork, received: &Receiver<Received>, there: bool) {
    for number in 0_u64.. {
        let question = number.to_le_bytes();
        network.send(None, &question);
        let end = Instant::now() + Duration::from_millis(10);
        let mut answered = false;
        while let Ok(answer) = received.recv_timeout(end.saturating_duration_since(Instant::now())) {
            answered |= answer.bytes == question;
        }
        if answered == there {
            return;
        }
    }
}
