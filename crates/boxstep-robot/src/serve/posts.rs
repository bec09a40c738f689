//! Asynchronous calls and their numbers: `pCall`, `wait`, `isRunning`, `stop`.

use super::object::{ServedCall, lock};
use boxstep_engine::CallId;
use boxstep_qi::Reply;
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

fn number(args: &[Value]) -> Option<CallId> {
    args.first().and_then(Value::as_i64).and_then(|id| u32::try_from(id).ok()).map(CallId)
}

/// Returns the method that `pCall` is to call.
pub(super) fn method(args: &[Value]) -> Option<&str> {
    args.first().and_then(Value::as_list)?.first()?.as_str()
}

/// `pCall([method, argument …])`: starts a call and answers its number. Its result is discarded.
pub(super) fn begin(served_call: &ServedCall<'_>, args: &[Value], reply: &Reply) {
    let Some([Value::Str(method), args @ ..]) = args.first().and_then(Value::as_list) else {
        return reply.failed("pCall takes a list of a method's name and its arguments");
    };
    let call = served_call
        .state
        .engine
        .poke(|engine| engine.call_from_outside(served_call.service, method, args, Box::new(drop)));
    served_call.give(reply, Ok(Value::Int(call.0.into())));
}

/// `wait(call, milliseconds)`: true if the time passed first; 0 waits for ever.
pub(super) fn wait(served_call: &ServedCall<'_>, args: &[Value], reply: Reply) {
    let Some(call) = number(args) else { return served_call.give(&reply, Ok(false.into())) };
    let most = args.get(1).and_then(Value::as_i64).filter(|ms| *ms > 0).map(Time::from_millis);
    let state = Arc::downgrade(served_call.state);
    // Taken when the client cancels, so that nothing is kept for it.
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
    served_call.state.engine.poke(|engine| engine.notify_when_done(call, most, then));
}

/// `isRunning(call)`.
pub(super) fn is_running(served_call: &ServedCall<'_>, args: &[Value], reply: &Reply) {
    let runs = number(args).is_some_and(|call| served_call.state.engine.lock().is_call_running(call));
    served_call.give(reply, Ok(runs.into()));
}

/// `stop(call)`: waiting callers continue, and the robot stops the action.
pub(super) fn stop(served_call: &ServedCall<'_>, args: &[Value], reply: &Reply) {
    if let Some(call) = number(args) {
        served_call.state.engine.poke(|engine| engine.cancel_call(call));
    }
    served_call.give(reply, Ok(Value::Null));
}
