//! Functions that are told when boxes are loaded and unloaded. A box that two states share stays loaded.
//!
//! `cargo run -p boxstep-engine --example callbacks`

use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::objects::Draft;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::without_robot(Config::default());
    let mut boxes = Vec::new();
    for name in ["eyes", "left arm", "right arm"] {
        let id = engine.objects().new_box(Draft::new(name))?;
        let mut view = engine.objects().get_box(id)?;
        view.on_load(move |_| println!("load {name}"));
        view.on_unload(move |_| println!("unload {name}"));
        boxes.push(id);
    }
    let wave = engine.objects().new_state_machine("wave")?;
    let mut machine = engine.objects().state_machine(wave)?;
    machine.add_state("left", &[boxes[0], boxes[1]])?;
    let right = machine.add_state("right", &[boxes[0], boxes[2]])?;
    machine.on_new_state(|_, _| println!("a new state"));
    machine.run()?;
    engine.settle();

    // The next is loaded, then the one before unloaded, then all are told.
    engine.objects().state_machine(wave)?.go_to_state(right)?;
    engine.settle();
    engine.objects().state_machine(wave)?.stop()?;
    engine.settle();
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
