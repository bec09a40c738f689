//! Calls that nobody waits for, and their numbers: `pCall`, `wait`, `isRunning`, `stop`.

use super::object::{Asked, lock};
use boxstep_engine::CallId;
use boxstep_qi::Reply;
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

fn number(args: &[Value]) -> Option<CallId> {
    args.first().and_then(Value::as_i64).and_then(|id| u32::try_from(id).ok()).map(CallId)
}

/// `pCall([method, argument …])`: begins a call and answers its number. What comes of it nobody hears.
pub(super) fn begin(asked: &Asked<'_>, args: &[Value], reply: &Reply) {
    let Some([Value::Str(method), args @ ..]) = args.first().and_then(Value::as_list) else {
        return reply.failed("pCall takes a list of a method's name and its arguments");
    };
    let call = asked.state.engine.poke(|engine| engine.call_from_outside(asked.service, method, args, Box::new(drop)));
    asked.give(reply, Ok(Value::Int(call.0.into())));
}

/// `wait(call, milliseconds)`: true if the time passed first; 0 waits for ever.
pub(super) fn wait(asked: &Asked<'_>, args: &[Value], reply: Reply) {
    let Some(call) = number(args) else { return asked.give(&reply, Ok(false.into())) };
    let most = args.get(1).and_then(Value::as_i64).filter(|ms| *ms > 0).map(Time::from_millis);
    let state = Arc::downgrade(asked.state);
    // Taken when the client gives up waiting, so that nothing is kept for it.
    let waiting = Arc::new(Mutex::new(Some(reply.clone())));
    let left = Arc::downgrade(&waiting);
    reply.on_cancel(move |reply| {
        if let Some(waiting) = left.upgrade() {
            lock(&waiting).take();
        }
        reply.canceled();
    });
    let then = Box::new(move |late: bool| {
        if let (Some(state), Some(reply)) = (state.upgrade(), lock(&waiting).take()) {
            state.later(move || reply.value(late));
        }
    });
    asked.state.engine.poke(|engine| engine.notify_when_done(call, most, then));
}

/// `isRunning(call)`.
pub(super) fn is_running(asked: &Asked<'_>, args: &[Value], reply: &Reply) {
    let runs = number(args).is_some_and(|call| asked.state.engine.lock().is_call_running(call));
    asked.give(reply, Ok(runs.into()));
}

/// `stop(call)`: whoever waits for it goes on, and the robot stops doing it.
pub(super) fn stop(asked: &Asked<'_>, args: &[Value], reply: &Reply) {
    if let Some(call) = number(args) {
        asked.state.engine.poke(|engine| engine.cancel_call(call));
    }
    asked.give(reply, Ok(Value::Null));
}
