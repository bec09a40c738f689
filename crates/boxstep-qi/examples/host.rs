//! Offers a service that every qi client can use, also on libqi: `cargo run -p boxstep-qi --example host --
//! 127.0.0.1:9559`, and then in Python: `s = qi.Session(); s.connect("tcp://127.0.0.1:9559");
//! s.service("Counter").add(2)`.

use boxstep_qi::{ObjectBuilder, Server, Value};
use std::sync::atomic::{AtomicI64, Ordering};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9559".to_owned());
    let total = AtomicI64::new(0);
    let counter = ObjectBuilder::new("Counts what it is told.")
        .method("add::(l)->l", move |args| {
            let more = args[0].as_i64().ok_or("add takes a number")?;
            Ok(Value::from(total.fetch_add(more, Ordering::Relaxed).saturating_add(more)))
        })
        .signal("tick", "(l)")
        .property("unit", "s", "apples")
        .build()?;
    let server = Server::listen(&address)?;
    server.register("Counter", counter.clone())?;
    println!("the service Counter is at tcp://{}; Enter ticks, Ctrl-D ends", server.address());
    let ticks = std::io::stdin().lines().map_while(Result::ok);
    for (tick, _) in (1i64..).zip(ticks) {
        counter.emit("tick", &[Value::from(tick)])?;
    }
    Ok(())
}
