//! The operations of objects for scripts, and for programs that drive a run.
//!
//! There is one table, by kind and name; where QiCore had an operation, it has QiCore's name. `docs/reference/python-api.md`
//! describes each operation, and a test checks the Python side against the table.

mod description;

use self::description::Described;
use super::{BoxId, Draft, Error, Frame, ListenerId, Objects, StateId, StateMachineId, TimelineId, TransitionId, When};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::callbacks::{CallbackEvent, On};
use crate::graph::Body;
use crate::graph::Graph;
use crate::ids;
use crate::protocol::{CallbackId, ObjectCall};
use crate::runner::RunnerId;
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// Returns the operations of objects: kind and name.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|(kind, name, _)| (*kind, *name))
}

impl ObjectCall {
    /// Returns whether the operation changes nothing, so that it is allowed after the end of a run. Only such
    /// operations have these names.
    pub(crate) fn asks(&self) -> bool {
        let name = &*self.operation;
        name.starts_with("get") || name.starts_with("is") || matches!(name, "find" | "root" | "now")
    }
}

type Done = Result<Value, Error>;
type Operation = fn(&mut OperationCall<'_>) -> Done;

const TABLE: &[(&str, &str, Operation)] = &[
    ("run", "find", |a| a.text(0).and_then(|path| a.objects().find(&path)).map(of_box)),
    ("run", "root", |a| Ok(a.engine.behaviors.root_of_run(&a.engine.graph).map_or(Value::Null, of_box))),
    ("run", "newBox", |a| a.draft(0).and_then(|draft| a.objects().new_box(draft)).map(of_box)),
    ("run", "newTimeline", |a| a.new_timeline()),
    ("run", "newStateMachine", |a| a.text(0).and_then(|name| a.objects().new_state_machine(&name)).map(of_machine)),
    ("run", "forget", |a| a.listener(0).and_then(|id| a.objects().forget(id)).map(Value::Bool)),
    ("run", "now", |a| Ok(Value::Int(a.engine.cx.now().0))),
    ("run", "newRunner", |a| {
        a.callback(1).and_then(|f| a.engine.new_runner(a.call.args.first().unwrap_or(&Value::Null), f))
    }),
    // ---- runners
    ("runner", "getActive", |a| a.runner().and_then(|id| a.engine.active_in(id))),
    ("runner", "isOver", |a| a.runner().map(|id| a.engine.runners.runner_is_over(id).into())),
    ("runner", "stop", |a| a.runner().map(|id| a.engine.stop_runner(id).into())),
    // ---- boxes
    ("box", "getName", |a| Ok(Value::Str(a.a_box()?.name()))),
    ("box", "setName", |a| a.text(0).and_then(|name| a.a_box()?.set_name(&name)).map(nothing)),
    ("box", "getPath", |a| Ok(a.a_box()?.path().to_string().into())),
    ("box", "getPhase", |a| Ok(format!("{:?}", a.a_box()?.phase()).to_lowercase().into())),
    ("box", "isLoaded", |a| Ok(a.a_box()?.is_loaded().into())),
    ("box", "isStarted", |a| Ok(a.a_box()?.is_started().into())),
    ("box", "getParentBox", |a| Ok(a.a_box()?.parent().map_or(Value::Null, of_box))),
    ("box", "getBoxes", |a| Ok(Value::list(a.a_box()?.boxes().into_iter().map(of_box)))),
    ("box", "getBox", |a| a.text(0).and_then(|name| Ok(a.a_box()?.child(&name).map_or(Value::Null, of_box)))),
    ("box", "load", |a| a.a_box()?.load().map(nothing)),
    ("box", "start", |a| a.a_box()?.start().map(nothing)),
    ("box", "stop", |a| a.a_box()?.stop().map(nothing)),
    ("box", "unload", |a| a.a_box()?.unload().map(nothing)),
    ("box", "stimulateInput", |a| {
        a.text(0).and_then(|name| a.value(1, name)).and_then(|(n, v)| a.a_box()?.input(&n, v)).map(nothing)
    }),
    ("box", "stimulateOutput", |a| {
        a.text(0).and_then(|name| a.value(1, name)).and_then(|(n, v)| a.a_box()?.output(&n, v)).map(nothing)
    }),
    ("box", "getInputs", |a| Ok(Value::list(a.a_box()?.inputs().into_iter().map(|(name, _)| Value::Str(name))))),
    ("box", "getOutputs", |a| Ok(Value::list(a.a_box()?.outputs().into_iter().map(|(name, _)| Value::Str(name))))),
    ("box", "getParametersList", |a| a.parameters()),
    ("box", "getParameter", |a| a.text(0).and_then(|name| a.a_box()?.parameter(&name))),
    ("box", "setParameter", |a| {
        a.text(0).and_then(|name| a.value(1, name)).and_then(|(n, v)| a.a_box()?.set_parameter(&n, v)).map(nothing)
    }),
    ("box", "getTimeline", |a| Ok(a.a_box()?.timeline().map_or(Value::Null, of_timeline))),
    ("box", "getStateMachine", |a| Ok(a.a_box()?.state_machine().map_or(Value::Null, of_machine))),
    ("box", "onLoad", |a| a.listen(0, |a| Ok(On::Load(a.box_id()?)))),
    ("box", "onUnload", |a| a.listen(0, |a| Ok(On::Unload(a.box_id()?)))),
    ("box", "onInput", |a| a.listen(1, OperationCall::input)),
    ("box", "onOutput", |a| a.listen(1, OperationCall::output)),
    ("box", "connect", |a| a.connect()),
    // ---- timelines
    ("timeline", "play", |a| a.timeline()?.play().map(nothing)),
    ("timeline", "pause", |a| a.timeline()?.pause().map(nothing)),
    ("timeline", "stop", |a| a.timeline()?.stop().map(nothing)),
    ("timeline", "goTo", |a| a.frame(0).and_then(|frame| a.timeline()?.go_to(frame)).map(Value::Int)),
    ("timeline", "getSize", |a| Ok(a.timeline()?.size().into())),
    ("timeline", "getStartFrame", |a| Ok(a.timeline()?.start_frame().into())),
    ("timeline", "getEndFrame", |a| Ok(a.timeline()?.end_frame().map_or(Value::Null, Value::Int))),
    ("timeline", "getFPS", |a| Ok(a.timeline()?.fps().into())),
    ("timeline", "setFPS", |a| a.int(0).and_then(|fps| a.timeline()?.set_fps(small(fps))).map(nothing)),
    ("timeline", "getFrame", |a| Ok(a.timeline()?.frame().into())),
    ("timeline", "isPlaying", |a| Ok(a.timeline()?.is_playing().into())),
    ("timeline", "addFlag", |a| {
        a.int(0).and_then(|at| a.text(1).and_then(|name| a.timeline()?.add_flag(at, &name))).map(nothing)
    }),
    ("timeline", "getFlags", |a| a.flags()),
    ("timeline", "setStateMachine", |a| {
        a.machine_id(0).and_then(|id| a.timeline()?.set_state_machine(id)).map(nothing)
    }),
    ("timeline", "getStateMachine", |a| Ok(a.timeline()?.state_machine().map_or(Value::Null, of_machine))),
    ("timeline", "onStopped", |a| a.listen(0, |a| Ok(On::End(a.box_id()?)))),
    // ---- state machines
    ("machine", "getName", |a| Ok(Value::Str(a.machine()?.name()))),
    ("machine", "setName", |a| a.text(0).and_then(|name| a.machine()?.set_name(&name)).map(nothing)),
    ("machine", "addState", |a| a.add_state()),
    ("machine", "removeState", |a| a.state_id(0).and_then(|s| a.machine()?.remove_state(s)).map(nothing)),
    ("machine", "getStates", |a| Ok(Value::list(a.machine()?.states().into_iter().map(of_state)))),
    ("machine", "getState", |a| a.text(0).and_then(|name| Ok(a.machine()?.find(&name).map_or(Value::Null, of_state)))),
    ("machine", "getCurrentState", |a| Ok(a.machine()?.current_state().map_or(Value::Null, of_state))),
    ("machine", "setInitialState", |a| a.state_id(0).and_then(|s| a.machine()?.set_initial_state(s)).map(nothing)),
    ("machine", "getInitialState", |a| Ok(a.machine()?.initial_state().map_or(Value::Null, of_state))),
    ("machine", "setFinalState", |a| a.state_id(0).and_then(|s| a.machine()?.set_final_state(s)).map(nothing)),
    ("machine", "removeFinalState", |a| {
        a.state_id(0).and_then(|s| a.machine()?.remove_final_state(s)).map(Value::Bool)
    }),
    ("machine", "getFinalStates", |a| Ok(Value::list(a.machine()?.final_states().into_iter().map(of_state)))),
    ("machine", "isOnFinalState", |a| Ok(a.machine()?.is_on_final_state().into())),
    ("machine", "addTransition", |a| a.add_transition()),
    ("machine", "removeTransition", |a| {
        a.transition_id(0).and_then(|t| a.machine()?.remove_transition(t)).map(nothing)
    }),
    ("machine", "getTransitions", |a| Ok(Value::list(a.machine()?.transitions().into_iter().map(of_transition)))),
    ("machine", "executeTransition", |a| {
        a.transition_id(0).and_then(|t| a.machine()?.execute_transition(t)).map(nothing)
    }),
    ("machine", "run", |a| a.machine()?.run().map(nothing)),
    ("machine", "pause", |a| a.machine()?.pause().map(nothing)),
    ("machine", "stop", |a| a.machine()?.stop().map(nothing)),
    ("machine", "isRunning", |a| Ok(a.machine()?.is_running().into())),
    ("machine", "isPaused", |a| Ok(a.machine()?.is_paused().into())),
    ("machine", "goToState", |a| a.state_id(0).and_then(|s| a.machine()?.go_to_state(s)).map(maybe)),
    ("machine", "goToStateName", |a| a.text(0).and_then(|name| a.machine()?.go_to_name(&name)).map(maybe)),
    ("machine", "goToFrame", |a| a.int(0).and_then(|frame| a.machine()?.go_to_frame(frame)).map(of_state)),
    ("machine", "onNewState", |a| a.listen(0, |a| Ok(On::NewState(a.box_id()?)))),
    // ---- states
    ("state", "getName", |a| Ok(Value::Str(a.state()?.name()))),
    ("state", "setName", |a| a.text(0).and_then(|name| a.state()?.set_name(&name)).map(nothing)),
    ("state", "getLabels", |a| Ok(Value::list(a.state()?.labels().into_iter().map(Value::Str)))),
    ("state", "addLabel", |a| a.text(0).and_then(|label| a.state()?.add_label(&label)).map(nothing)),
    ("state", "getInterval", |a| {
        Ok(a.state()?.interval().map_or(Value::Null, |(b, e)| Value::list([b.into(), e.into()])))
    }),
    ("state", "setInterval", |a| a.interval().and_then(|i| a.state()?.set_interval(i)).map(nothing)),
    ("state", "getBoxes", |a| Ok(Value::list(a.state()?.boxes().into_iter().map(of_box)))),
    ("state", "addBox", |a| a.other_box(0).and_then(|b| a.state()?.add_box(b)).map(nothing)),
    ("state", "link", |a| a.link()),
    ("state", "getTransitions", |a| Ok(Value::list(a.state()?.transitions().into_iter().map(of_transition)))),
    ("state", "onLoad", |a| a.listen(0, |a| a.diagram().map(On::DiagramLoad))),
    ("state", "onUnload", |a| a.listen(0, |a| a.diagram().map(On::DiagramUnload))),
    // ---- transitions
    ("transition", "getName", |a| Ok(Value::Str(a.transition()?.name()))),
    ("transition", "setName", |a| a.text(0).and_then(|name| a.name_transition(&name))),
    ("transition", "getFromState", |a| a.transition()?.from().map(of_state)),
    ("transition", "getToState", |a| a.transition()?.to().map(of_state)),
    ("transition", "trigger", |a| a.transition()?.trigger().map(nothing)),
    ("transition", "setTimeOut", |a| a.timeout()),
    ("transition", "getTimeOut", |a| a.get_timeout()),
    ("transition", "setWhenDone", |a| a.set_when(When::Done)),
];

fn nothing((): ()) -> Value {
    Value::Null
}

fn maybe(frame: Option<i64>) -> Value {
    frame.map_or(Value::Null, Value::Int)
}

fn small(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

fn numbers(all: &[u32]) -> Value {
    Value::list(all.iter().map(|n| Value::Int((*n).into())))
}

fn of_box(id: BoxId) -> Value {
    numbers(&[id.index])
}

fn of_timeline(id: TimelineId) -> Value {
    numbers(&[id.index])
}

fn of_machine(id: StateMachineId) -> Value {
    numbers(&[id.index])
}

fn of_state(id: StateId) -> Value {
    numbers(&[id.of, id.index])
}

fn of_transition(id: TransitionId) -> Value {
    numbers(&[id.of, id.index])
}

/// One call of an operation.
pub(crate) struct OperationCall<'a> {
    engine: &'a mut Engine,
    call: &'a ObjectCall,
    place: Option<ids::BoxId>,
    life: u32,
}

impl Behaviors {
    /// Returns the root of the behavior that the run plays.
    fn root_of_run(&self, graph: &Graph) -> Option<BoxId> {
        self.played.map(|id| graph.handle(self.all[id.index()].root))
    }
}

impl<'a> OperationCall<'a> {
    /// An operation that a script of this box asks for, or a program that drives the run.
    pub(crate) fn new(engine: &'a mut Engine, call: &'a ObjectCall, place: Option<ids::BoxId>, life: u32) -> Self {
        Self { engine, call, place, life }
    }

    /// Carries out the operation. An error names the box.
    pub(crate) fn carry_out(mut self) -> Result<Value, String> {
        let call = self.call;
        let named = |(kind, name, _): &&(&str, &str, Operation)| *kind == &*call.kind && *name == &*call.operation;
        let Some((.., operation)) = TABLE.iter().find(named) else {
            return Err(format!("no {} has an operation {}", call.kind, call.operation));
        };
        operation(&mut self).map_err(|error| {
            let at = self.box_id().ok().filter(|_| !matches!(&*call.kind, "run" | "runner"));
            match at.and_then(|b| self.engine.cx.paths.get(self.engine.graph.path_of(b))) {
                Some(path) => format!("{path}: {error}"),
                None => error.to_string(),
            }
        })
    }
}

impl OperationCall<'_> {
    fn objects(&mut self) -> Objects<'_> {
        self.engine.objects()
    }

    fn wrong(&self, n: usize, wanted: &str) -> Error {
        Error::Invalid(format!("{} wants {wanted} as argument {}", self.call.operation, n + 1))
    }

    // ---- whose operation it is ---------------------------------------------------------------------

    fn part(&self, n: usize) -> Result<u32, Error> {
        self.call.handle.get(n).copied().ok_or(Error::Foreign)
    }

    fn box_id(&self) -> Result<ids::BoxId, Error> {
        self.engine.graph.own_box(BoxId { engine: self.engine.graph.number, index: self.part(0)? })
    }

    fn a_box(&mut self) -> Result<super::Box<'_>, Error> {
        let id = BoxId { engine: self.engine.graph.number, index: self.part(0)? };
        self.engine.objects().get_box(id)
    }

    fn timeline(&mut self) -> Result<super::Timeline<'_>, Error> {
        let id = TimelineId { engine: self.engine.graph.number, index: self.part(0)? };
        self.engine.objects().timeline(id)
    }

    fn machine(&mut self) -> Result<super::StateMachine<'_>, Error> {
        let id = StateMachineId { engine: self.engine.graph.number, index: self.part(0)? };
        self.engine.objects().state_machine(id)
    }

    fn state(&mut self) -> Result<super::State<'_>, Error> {
        let id = StateId { engine: self.engine.graph.number, of: self.part(0)?, index: self.part(1)? };
        self.engine.objects().state(id)
    }

    fn transition(&mut self) -> Result<super::Transition<'_>, Error> {
        let id = TransitionId { engine: self.engine.graph.number, of: self.part(0)?, index: self.part(1)? };
        self.engine.objects().transition(id)
    }

    fn runner(&self) -> Result<RunnerId, Error> {
        self.engine.runners.runner_number(&self.engine.graph, self.part(0)?)
    }

    fn diagram(&mut self) -> Result<ids::DiagramId, Error> {
        self.state()?.own_diagram()
    }

    // ---- arguments -----------------------------------------------------------------------------------

    fn arg(&self, n: usize) -> Option<&Value> {
        self.call.args.get(n).filter(|value| **value != Value::Null)
    }

    fn text(&self, n: usize) -> Result<Arc<str>, Error> {
        match self.arg(n) {
            Some(Value::Str(text)) => Ok(text.clone()),
            _ => Err(self.wrong(n, "a text")),
        }
    }

    fn int(&self, n: usize) -> Result<i64, Error> {
        match self.arg(n) {
            Some(Value::Int(number)) => Ok(*number),
            Some(Value::Float(number)) if number.fract() == 0.0 => Ok(*number as i64),
            _ => Err(self.wrong(n, "a whole number")),
        }
    }

    fn frame(&self, n: usize) -> Result<Frame, Error> {
        match self.arg(n) {
            Some(Value::Str(name)) => Ok(Frame::Name(name.clone())),
            _ => self.int(n).map(Frame::Number),
        }
    }

    /// Returns a value next to a name; a missing value is a bang.
    fn value(&self, n: usize, name: Arc<str>) -> Result<(Arc<str>, Value), Error> {
        Ok((name, self.call.args.get(n).cloned().unwrap_or(Value::Null)))
    }

    fn handle<const N: usize>(&self, n: usize) -> Result<[u32; N], Error> {
        let numbers = self.arg(n).and_then(Value::as_list).unwrap_or_default();
        let numbers: Option<Vec<u32>> =
            numbers.iter().map(|number| number.as_i64().and_then(|n| u32::try_from(n).ok())).collect();
        numbers.and_then(|all| all.try_into().ok()).ok_or_else(|| self.wrong(n, "an object"))
    }

    fn other_box(&self, n: usize) -> Result<BoxId, Error> {
        let [index] = self.handle(n)?;
        Ok(BoxId { engine: self.engine.graph.number, index })
    }

    fn machine_id(&self, n: usize) -> Result<StateMachineId, Error> {
        let [index] = self.handle(n)?;
        Ok(StateMachineId { engine: self.engine.graph.number, index })
    }

    fn state_id(&self, n: usize) -> Result<StateId, Error> {
        let [of, index] = self.handle(n)?;
        Ok(StateId { engine: self.engine.graph.number, of, index })
    }

    fn transition_id(&self, n: usize) -> Result<TransitionId, Error> {
        let [of, index] = self.handle(n)?;
        Ok(TransitionId { engine: self.engine.graph.number, of, index })
    }

    fn listener(&self, n: usize) -> Result<ListenerId, Error> {
        let [index] = self.handle(n)?;
        Ok(ListenerId { engine: self.engine.graph.number, index })
    }

    fn callback(&self, n: usize) -> Result<CallbackId, Error> {
        u32::try_from(self.int(n)?).map(CallbackId).map_err(|_| self.wrong(n, "a function"))
    }

    // ---- operations that need more than a line -----------------------------------------------------------

    /// Registers the function that is an argument, and returns the listener.
    fn listen(&mut self, function: usize, on: impl FnOnce(&mut Self) -> Result<On, Error>) -> Done {
        let callback = self.callback(function)?;
        let on = on(self)?;
        let kept = ids::Kept { callback, place: self.place, life: self.life };
        let listener = self.engine.callbacks.listen_with(&mut self.engine.fast_path, &self.engine.graph, on, kept);
        Ok(numbers(&[listener.index]))
    }

    fn input(&mut self) -> Result<On, Error> {
        let (id, name) = (self.box_id()?, self.text(0)?);
        let node = &self.engine.graph.boxes[id.index()];
        let input = node.input(&name).ok_or(Error::NoSuchPort(name))?;
        if matches!(node.body, Body::Native) {
            return Err(Error::Invalid("the inputs of boxes in Rust have no callbacks".to_owned()));
        }
        Ok(On::Input(id, input as u16))
    }

    fn output(&mut self) -> Result<On, Error> {
        let (id, name) = (self.box_id()?, self.text(0)?);
        let output = self.engine.graph.boxes[id.index()].output(&name).ok_or(Error::NoSuchPort(name))?;
        Ok(On::Output(id, output as u16))
    }

    /// Connects an output of a box to an input or parameter of another, whatever they are part of.
    fn connect(&mut self) -> Done {
        let on = self.output()?;
        let (to, name) = (self.other_box(1)?, self.text(2)?);
        let target = self.engine.graph.own_box(to)?;
        let known = &self.engine.graph.boxes[target.index()];
        if known.input(&name).is_none() && known.param(&name).is_none() {
            return Err(Error::NoSuchPort(name));
        }
        let parameter = known.input(&name).is_none();
        let listener = self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            on,
            std::boxed::Box::new(move |cx, what| {
                let CallbackEvent::Port(value) = what else { return };
                if parameter {
                    // The parameter exists, as checked above; boxes do not lose parameters.
                    let _ = super::Box { engine: cx.engine, id: target }.set_parameter(&name, value.clone());
                } else {
                    cx.engine.graph.stimulate(&mut cx.engine.cx, target, &name, value.clone());
                }
            }),
        );
        Ok(numbers(&[listener.index]))
    }

    fn parameters(&mut self) -> Done {
        let id = self.box_id()?;
        let node = &self.engine.graph.boxes[id.index()];
        Ok(Value::list(node.params.iter().map(|p| Value::Str(p.name.clone()))))
    }

    fn flags(&mut self) -> Done {
        let flags = self.timeline()?.flags();
        Ok(Value::list(flags.into_iter().map(|(at, name)| Value::list([at.into(), Value::Str(name)]))))
    }

    fn add_state(&mut self) -> Done {
        let name = self.text(0)?;
        let mut boxes = Vec::new();
        for each in self.arg(1).and_then(Value::as_list).unwrap_or_default() {
            let index = each.as_list().and_then(|n| u32::try_from(n.first()?.as_i64()?).ok());
            let index = index.ok_or_else(|| self.wrong(1, "a list of boxes"))?;
            boxes.push(BoxId { engine: self.engine.graph.number, index });
        }
        self.machine()?.add_state(&name, &boxes).map(of_state)
    }

    fn add_transition(&mut self) -> Done {
        let (from, to) = (self.state_id(0)?, self.state_id(1)?);
        self.machine()?.add_transition(from, to).map(of_transition)
    }

    fn interval(&self) -> Result<Option<(i64, i64)>, Error> {
        if self.arg(0).is_none() && self.arg(1).is_none() {
            return Ok(None);
        }
        Ok(Some((self.int(0)?, self.int(1)?)))
    }

    fn link(&mut self) -> Done {
        let (from, output, to, input) = (self.other_box(0)?, self.text(1)?, self.other_box(2)?, self.text(3)?);
        self.state()?.link((from, &output), (to, &input)).map(nothing)
    }

    /// Sets the time in seconds in the state after which the transition is taken; a negative or missing value removes
    /// it.
    fn timeout(&mut self) -> Done {
        let seconds = match self.arg(0) {
            None => None,
            Some(value) => Some(value.as_f64().ok_or_else(|| self.wrong(0, "seconds"))?),
        };
        let when = match seconds.filter(|seconds| *seconds >= 0.0) {
            Some(seconds) => When::After(Time::from_secs_f64(seconds)),
            None => When::Triggered,
        };
        self.set_when(when)
    }

    fn set_when(&mut self, when: When) -> Done {
        self.transition()?.set_when(when);
        Ok(Value::Null)
    }

    fn name_transition(&mut self, name: &str) -> Done {
        self.transition()?.set_name(name);
        Ok(Value::Null)
    }

    fn get_timeout(&mut self) -> Done {
        Ok(match self.transition()?.when()? {
            When::After(time) => time.as_secs_f64().into(),
            _ => Value::Null,
        })
    }

    fn new_timeline(&mut self) -> Done {
        let timeline = self.described(1)?.timeline()?;
        let name = self.text(0)?;
        self.objects().new_timeline(&name, timeline).map(of_timeline)
    }

    fn described(&self, n: usize) -> Result<Described<'_>, Error> {
        self.arg(n).and_then(Value::as_map).map(Described).ok_or_else(|| self.wrong(n, "a description"))
    }

    /// Creates a draft from a description.
    fn draft(&self, n: usize) -> Result<Draft, Error> {
        self.described(n)?.draft()
    }
}
