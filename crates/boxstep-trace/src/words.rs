//! Enums whose variants are written as words in events. The words are part of the trace format and never change.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Defines enums whose variants are written as words.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* })*) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// Returns the word as traces have it.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    )* };
}

words! {
    /// Which clock a run has.
    ClockKind {
        /// Time is as fast as the run can go, and the same each time.
        Virtual = "virtual",
        /// The clock on the wall.
        Real = "real",
    }

    /// How a run ended.
    EndReason {
        /// The root box's onStopped was stimulated, or the behavior was stopped by a script.
        Ended = "ended",
        /// Nothing can happen any more unless an event comes from outside (virtual time only).
        Waiting = "waiting",
        /// The time limit was reached.
        Limit = "limit",
        /// A script raised and nobody caught it.
        Failed = "failed",
        /// A signal.
        Interrupted = "interrupted",
        /// Scripts wait for each other, or one runs on without end, and nothing else can happen.
        Deadlock = "deadlock",
        /// Signals went round in no time, for ever.
        Livelock = "livelock",
    }

    /// Which way an event crosses the border of the run.
    Dir {
        /// It comes from outside: all that a replay needs.
        In = "in",
        /// It goes out to the robot.
        Out = "out",
    }

    /// A step in the life of a behavior.
    BehaviorPhase {
        /// Its boxes are being loaded.
        Loading = "loading",
        /// Its boxes are loaded.
        Loaded = "loaded",
        /// Its root box is started.
        Started = "started",
        /// It is being stopped.
        Stopping = "stopping",
        /// Nothing of it is left.
        Unloaded = "unloaded",
    }

    /// A step in the life of a box.
    BoxPhase {
        /// The object of its script exists.
        Constructed = "constructed",
        /// Its `onLoad` begins.
        Loading = "loading",
        /// Its `onLoad` is over.
        Loaded = "loaded",
        /// Its start begins.
        Starting = "starting",
        /// It is active.
        Started = "started",
        /// Its stop begins.
        Stopping = "stopping",
        /// It is not active any more.
        Stopped = "stopped",
        /// Its `onUnload` begins.
        Unloading = "unloading",
        /// Its `onUnload` is over.
        Unloaded = "unloaded",
        /// The object of its script is gone.
        Destroyed = "destroyed",
    }

    /// A step in the life of a diagram inside a box.
    DiagramPhase {
        /// Its boxes are being loaded.
        Loading = "loading",
        /// Its boxes are loaded.
        Loaded = "loaded",
        /// Its boxes are being unloaded.
        Unloading = "unloading",
        /// Its boxes are unloaded.
        Unloaded = "unloaded",
    }

    /// Why a stimulation had no effect.
    DropReason {
        /// The box that it was for is not loaded.
        BoxNotLoaded = "the box is not loaded",
        /// The diagram that it was for is not loaded.
        DiagramNotLoaded = "the diagram is not loaded",
        /// The diagram that it was for has been unloaded meanwhile.
        DiagramUnloaded = "the diagram is not loaded any more",
        /// The run is being interrupted.
        Interrupted = "the run is being interrupted",
        /// The box that made it has been unloaded since its call began.
        BoxUnloaded = "the box has been unloaded",
        /// The script that made it had been given up.
        GivenUp = "the call was given up",
        /// The script of the box is being exchanged.
        ScriptChanges = "the box's script is being changed",
    }

    /// What a typed port takes.
    ValueType {
        /// A number, or a list of numbers.
        Number = "number",
        /// A text, or a list of texts.
        String = "string",
    }

    /// What happened to a timeline.
    TimelinePhase {
        /// It is loaded.
        Load = "load",
        /// It plays from this frame on.
        Play = "play",
        /// It stands at this frame.
        Pause = "pause",
        /// It has been moved to this frame.
        Goto = "goto",
        /// It has this many frames per second.
        Fps = "fps",
        /// It enters the diagrams at this frame.
        Frame = "frame",
        /// It waits for the robot's joints.
        Wait = "wait",
        /// It has come to its end.
        End = "end",
        /// It is unloaded.
        Unload = "unload",
        /// A command came too late.
        Dropped = "dropped",
    }

    /// How serious a script's log line is.
    LogLevel {
        /// `logger.debug`
        Debug = "debug",
        /// `logger.info`, `log`
        Info = "info",
        /// `logger.warning`
        Warning = "warning",
        /// `logger.error`
        Error = "error",
        /// `logger.fatal`, `logger.critical`
        Fatal = "fatal",
    }

    /// What happened to a resource.
    ResourcePhase {
        /// It has it.
        Taken = "taken",
        /// It waits for it; `others` have it.
        Waiting = "waiting",
        /// It does not get it; `others` have it.
        Refused = "refused",
        /// A wait is over without either.
        Dropped = "dropped",
        /// It is free, which was all that was waited for.
        Free = "free",
        /// It does not have it any more.
        Released = "released",
        /// It was taken away; `others` have asked for it.
        Lost = "lost",
        /// What it does is held up for `others`.
        Paused = "paused",
        /// `others` have asked for what it has.
        Asked = "asked",
    }

    /// What became of something that has changed while the run goes on.
    ReloadPhase {
        /// Until the box is at rest.
        Waiting = "waiting",
        /// It waits no longer.
        Forced = "forced",
        /// It plays from now on.
        Taken = "taken",
        /// It is again as it was.
        Withdrawn = "withdrawn",
        /// It cannot be played: what was before plays on.
        Refused = "refused",
        /// Modules are imported anew.
        Modules = "modules",
        /// It needs a new start.
        NotTaken = "not_taken",
    }

    /// What a behavior of a runner asks for.
    Request {
        /// Whether a delegate wants to run.
        Ask = "ask",
        /// To give control to others.
        Delegate = "delegate",
        /// To take control back.
        CancelDelegates = "cancel_delegates",
        /// To give up its own control.
        CancelSelf = "cancel_self",
        /// To end well.
        Complete = "complete",
        /// To end badly.
        Fail = "fail",
    }

    /// An answer.
    YesNo {
        /// Yes.
        Yes = "yes",
        /// No.
        No = "no",
    }
}

impl From<bool> for YesNo {
    fn from(yes: bool) -> Self {
        if yes { YesNo::Yes } else { YesNo::No }
    }
}
