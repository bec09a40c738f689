//! Connects to a robot, says a sentence, and reports touches of its head: `cargo run -p boxstep-qi --example say --
//! nao.local Hello`.

use boxstep_qi::{ObjectValue, Session, args};
use std::sync::mpsc::channel;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let address = words.next().unwrap_or_else(|| "127.0.0.1".to_owned());
    let sentence = words.next().unwrap_or_else(|| "Hello".to_owned());
    let session = Session::connect(&address)?;
    for service in session.services()? {
        println!("{:4} {}", service.id, service.name);
    }
    session.service("ALTextToSpeech")?.call("say", &args![sentence])?;
    let memory = session.service("ALMemory")?;
    let given = memory.call("subscriber", &args!["FrontTactilTouched"])?;
    let subscriber = given.as_object().and_then(ObjectValue::remote).ok_or("ALMemory gave no subscriber")?;
    let (tell, told) = channel();
    let _listening = subscriber.subscribe("signal", move |args| {
        // The receiver may be gone already.
        let _ = tell.send(args.first().and_then(|value| value.as_f64()));
    })?;
    println!("touch the head within ten seconds");
    match told.recv_timeout(Duration::from_secs(10)) {
        Ok(value) => println!("touched: {value:?}"),
        Err(_) => println!("nobody touched it"),
    }
    Ok(())
}
