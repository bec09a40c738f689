//! A state machine with transitions: a traffic light that somebody can hurry.
//!
//! `cargo run -p boxstep-engine --example state_machine`

use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::objects::When;
use boxstep_types::Time;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::without_robot(Config::default());
    let light = engine.objects().new_state_machine("light")?;

    let mut machine = engine.objects().state_machine(light)?;
    let red = machine.add_state("red", &[])?;
    let green = machine.add_state("green", &[])?;
    let go = machine.add_transition(red, green)?;
    let halt = machine.add_transition(green, red)?;
    machine.set_final_state(green)?;
    machine.on_new_state(|cx, state| {
        let now = cx.now();
        if let Ok(state) = cx.objects().state(state) {
            println!("{now} {}", state.name());
        }
    });
    machine.run()?;

    // Red after 3 s in green; green when somebody asks.
    engine.objects().transition(halt)?.set_when(When::After(Time::from_millis(3000)));
    engine.run_for(1.0)?;
    engine.objects().transition(go)?.trigger()?;
    engine.run_for(10.0)?;

    assert_eq!(engine.objects().state_machine(light)?.current_state(), Some(red));
    engine.objects().state_machine(light)?.stop()?;
    engine.settle();
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
