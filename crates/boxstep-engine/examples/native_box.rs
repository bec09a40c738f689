//! A box written in Rust, by name: it stands in for every box of that name, whatever the file says it does.
//!
//! `cargo run -p boxstep-engine --example native_box`

use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::native::{NativeBox, NativeCx, Natives};
use boxstep_engine::objects::Draft;
use boxstep_format::model::{InputNature, OutputNature, PortType};
use boxstep_types::Value;
use std::error::Error;

/// Puts out the sum of what came in.
#[derive(Default)]
struct Adder(f64);

impl NativeBox for Adder {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, value: &Value) {
        self.0 += value.as_f64().unwrap_or(0.0);
        cx.output(0, Value::Float(self.0));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::without_robot(Config::default());
    engine.set_natives(Box::new(Natives::new().with("Adder", || Box::new(Adder::default()))));

    let adder = Draft::bare("Adder").input("add", InputNature::OnEvent, PortType::Number);
    let adder = adder.output("sum", OutputNature::Punctual, PortType::Number);
    let adder = engine.objects().new_box(adder)?;
    let mut view = engine.objects().get_box(adder)?;
    view.on_output("sum", |_, sum| println!("{sum}"))?;
    view.start()?;
    engine.settle();
    for n in [1.0, 2.0, 3.5] {
        engine.objects().get_box(adder)?.input("add", Value::Float(n))?;
    }
    engine.settle();
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
