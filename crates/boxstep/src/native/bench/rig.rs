//! Makes a behavior from text, and plays it.

use crate::native::host::PythonHost;
use boxstep_engine::CallId;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config, NoLibrary};
use boxstep_engine::native::NativeFactory;
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_engine::shared::{Host as _, Shared};
use boxstep_engine::trace::Header;
use boxstep_format::{Limits, read_xar};
use boxstep_script::options::Options;
use boxstep_types::Value;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// A box of a diagram; inputs and outputs are given as XML.
pub(super) struct Drawn<'a> {
    pub(super) name: &'a str,
    pub(super) id: usize,
    pub(super) script: &'a str,
    pub(super) ports: &'a str,
}

/// The ports of a box with a script: input 2 starts it with a number, output 4 reports its end.
pub(super) const START_AND_STOPPED: &str = r#"<Input name="onStart" type="2" type_size="1" nature="2" inner="0" id="2"/><Output name="onStopped" type="2" type_size="1" nature="1" inner="0" id="4"/>"#;

const TICK: &str = r#"<Input name="tick" type="0" type_size="1" nature="4" stm_value_name="tick" inner="1" id="5"/>"#;

/// Returns a behavior with one diagram. A link is: box and output, box and input; 0 is the root box, with ports 2
/// (onStart), 4 (onStopped) and 5, the robot's event `tick`.
pub(super) fn behavior<'a>(
    boxes: impl IntoIterator<Item = Drawn<'a>>,
    links: impl IntoIterator<Item = (usize, usize, usize, usize)>,
) -> String {
    let mut inside = String::new();
    for Drawn { name, id, script, ports } in boxes {
        let _ = write!(
            inside,
            r#"<Box name="{name}" id="{id}"><script language="4"><content><![CDATA[{script}]]></content></script>{ports}</Box>"#
        );
    }
    for (from, output, to, input) in links {
        let _ = write!(
            inside,
            r#"<Link outputowner="{from}" indexofoutput="{output}" inputowner="{to}" indexofinput="{input}"/>"#
        );
    }
    format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">{START_AND_STOPPED}{TICK}<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#
    )
}

/// Creates an engine that is about to play the behavior, with the trace off.
pub(super) fn engine(
    xml: &str,
    config: Config,
    natives: Box<dyn NativeFactory>,
    robot: Box<dyn Services>,
) -> Result<Engine, String> {
    let file = read_xar("bench.xar", xml.as_bytes(), &Limits::default()).map_err(|e| format!("{e:?}"))?;
    let header = Header::new(config.clock);
    let mut engine = Engine::new(config, robot, Box::new(NoLibrary), &header, Vec::new());
    engine.set_natives(natives);
    let source = BehaviorSource {
        name: "bench".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    };
    engine.play(source).map_err(|found| format!("{found:?}"))?;
    Ok(engine)
}

/// Plays to the end, as `boxstep play` does.
pub(super) fn play(engine: &Shared<Engine>) -> Result<(), String> {
    let options = Options {
        epoch: 1_577_836_800,
        seed: 0,
        network: false,
        patience: Duration::from_secs(30),
        dialect: 2,
        language: "English".to_owned(),
        installed_qi: false,
        as_written: false,
        args: Vec::new(),
        robot: String::new(),
    };
    PythonHost::new(options).drive(engine)?;
    match engine.lock().outcome() {
        Some(end) if end.errors == 0 => Ok(()),
        end => Err(format!("the run did not end well: {end:?}")),
    }
}

/// A robot that offers only a clock. It calls the function with the token of a timer, or with 0 for an event.
pub(super) struct Ticks<F>(pub(super) F);

impl<F: FnMut(&mut ServiceCx<'_>, u64) + Send> Services for Ticks<F> {
    fn has_service(&self, _: &str) -> bool {
        false
    }
    fn call(&mut self, _: &mut ServiceCx<'_>, _: &ServiceCall<'_>) -> Outcome {
        Outcome::Ready(Err(ServiceError::NoService))
    }
    fn cancel(&mut self, _: &mut ServiceCx<'_>, _: CallId) {}
    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        (self.0)(cx, token);
    }
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, _: &Topic, _: bool) -> Result<(), ServiceError> {
        Ok(())
    }
    fn raise(&mut self, cx: &mut ServiceCx<'_>, _: &str, _: Value) {
        (self.0)(cx, 0);
    }
    fn halt(&mut self, _: &mut ServiceCx<'_>, _: Halt) {}
    fn language(&self) -> String {
        "English".to_owned()
    }
}
