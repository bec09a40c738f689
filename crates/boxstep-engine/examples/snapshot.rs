//! A run written down at a quiet point, and taken up again as if nothing had been.
//!
//! `cargo run -p boxstep-engine --example snapshot`

use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config};
use boxstep_engine::snapshot::{Resume, Snapshot};
use boxstep_format::{Limits, read_xar};
use boxstep_types::Time;
use std::error::Error;

/// A timeline of ten seconds, without scripts.
const DANCE: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
<Input name="onStart" type="1" nature="2" id="2"/><Output name="onStopped" type="1" nature="1" id="4"/>
<Timeline enable="1" fps="25" start_frame="1" end_frame="251"/></Box></ChoregrapheProject>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let file = read_xar("dance.xar", DANCE.as_bytes(), &Limits::default())?;
    let dance = BehaviorSource {
        name: "dance".into(),
        project: file.project.into(),
        sources: file.sources.into(),
        folder: ".".into(),
        relative_folder: ".".into(),
        package_uid: String::new(),
    };

    let mut engine = Engine::without_robot(Config::default());
    engine.play(dance.clone()).map_err(|found| format!("{found:?}"))?;
    engine.run_for(4.0)?;
    let quiet = engine.run_until_quiet(Time::from_millis(60_000))?;
    let night = engine.snapshot()?.to_json();
    drop(engine);

    let snapshot = Snapshot::from_json(&night)?;
    let mut engine = Engine::resume(Resume::without_robot(Config::default()).behavior(dance), &snapshot)?;
    let root = engine.objects().find("root")?;
    let timeline = engine.objects().get_box(root)?.timeline().ok_or("root has no timeline")?;
    let frame = engine.objects().timeline(timeline)?.frame();
    println!("written down at {quiet} s; {} characters; goes on from frame {frame}", night.len());
    let end = engine.objects().timeline(timeline)?.wait(Time::MAX)?;
    println!("comes to its end at {end} s");
    assert_eq!((frame, end), (101, Time::from_millis(10_000)));
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
