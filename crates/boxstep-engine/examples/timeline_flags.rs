//! A timeline with flags drives a state machine; a goto and another speed keep both in step.
//!
//! `cargo run -p boxstep-engine --example timeline_flags`

use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::objects::Draft;
use boxstep_types::Time;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::without_robot(Config::default());
    let machine = engine.objects().new_state_machine("dance")?;
    for name in ["intro", "verse", "end"] {
        engine.objects().state_machine(machine)?.add_state(name, &[])?;
    }
    engine.objects().state_machine(machine)?.on_new_state(|cx, state| {
        let now = cx.now();
        if let Ok(state) = cx.objects().state(state) {
            println!("{now} {}", state.name());
        }
    });

    // 100 frames at 10 a second.
    let owner = engine.objects().new_box(Draft::new("music").timeline(10, 1, Some(101)))?;
    let music = engine.objects().get_box(owner)?.timeline().ok_or("no timeline")?;
    let mut timeline = engine.objects().timeline(music)?;
    timeline.set_state_machine(machine)?;
    timeline.add_flag(1, "intro")?;
    timeline.add_flag(31, "verse")?;
    timeline.add_flag(91, "end")?;
    timeline.on_stopped(|cx| println!("{} over", cx.now()));

    timeline.play()?;
    engine.run_for(3.5)?;
    engine.objects().timeline(music)?.set_fps(20)?;
    engine.run_for(0.5)?;
    engine.objects().timeline(music)?.go_to("end")?;
    let over = engine.objects().timeline(music)?.wait(Time::MAX)?;
    engine.settle();
    assert_eq!(over.to_string(), "4.500");
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
