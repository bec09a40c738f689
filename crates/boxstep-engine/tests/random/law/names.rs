//! The laws by name. `broken.rs` breaks each of them by hand: a law that cannot fail proves nothing.

macro_rules! laws {
    ($($name:ident: $text:literal,)*) => {
        $(pub const $name: &str = $text;)*
        /// All of them.
        pub const ALL: &[&str] = &[$($name),*];
    };
}

laws! {
    NUMBERS: "events are numbered one by one",
    CAUSES: "a cause comes before what it causes",
    TIME: "time does not go back",
    KNOWN_BOX: "an event is of a box that the file has",
    KNOWN_DIAGRAM: "a diagram is one that the file has",
    BEHAVIOR_ORDER: "a behavior is loaded, started, stopped and unloaded in this order",
    OUTLIVES: "nothing outlives its behavior",
    CONSTRUCTED_ONCE: "a box is constructed once",
    DESTROYED_MADE: "what is destroyed has been constructed, and is destroyed once",
    DESTROYED_UNLOADED: "a box that is destroyed is unloaded",
    LOADED_MADE: "a box that is loaded has been constructed",
    LOADS_ALTERNATE: "loads and unloads alternate",
    LOADED_WITH_DIAGRAM: "a box is loaded with its diagram",
    UNLOADED_WITH_DIAGRAM: "a box is unloaded with its diagram",
    SHARED_STAYS: "a box that another current state holds stays loaded",
    UNLOADED_EMPTY: "a box that is unloaded has nothing loaded in it",
    UNLOADED_HOLDS_NOTHING: "a box that is unloaded holds nothing",
    STARTED_LOADED: "only a loaded box is started",
    STARTS_ALTERNATE: "starts and stops alternate",
    DIAGRAMS_ALTERNATE: "loads and unloads of a diagram alternate",
    DIAGRAM_WHOLE: "a diagram is loaded and unloaded with all its boxes",
    KEYFRAME_ORDER: "a keyframe is unloaded before the next of its layer is loaded",
    ONE_STATE: "a state machine is in one state, or changes from one to the next",
    OUTPUT_LOADED: "only a loaded box puts out",
    INPUT_LOADED: "only a loaded box is stimulated",
    INSIDE_HEARS: "an inside hears only while it is loaded",
    LINKS_ACTIVE: "links are active only while their diagram is",
    ON_LOAD_ONCE: "onLoad is called once, while the box is loaded",
    ON_UNLOAD_ONCE: "onUnload is called once, while the box is unloaded",
    CALLED_LOADED: "only a loaded box is called",
    CALLED_MADE: "nothing is called after its box was destroyed",
    NO_CURSOR: "a flow diagram has no cursor",
    CURSOR_FIRST: "the cursor is put on the first frame",
    CURSOR_GONE: "without an inside there is no frame",
    CURSOR_WITHIN: "the cursor stays within first and last frame",
    GROUP_WHOLE: "a group is taken and given back as a whole",
    GROUP_ONLY: "a box takes its group and nothing else",
    TAKEN_FREE: "nobody takes what another holds, or a part of it",
    TAKEN_LOADED: "only a loaded box takes anything",
    TAKEN_ONCE: "nothing is taken twice",
    RELEASED_HELD: "what is given back was held",
    HAS_END: "a run has an end",
    COUNTS_EVENTS: "every event is counted",
    COUNTS_ERRORS: "every error is counted",
    COUNTS_UNSUPPORTED: "every unsupported call is counted",
    COUNTS_WARNINGS: "every warning is counted",
    COUNTS_DROPPED: "everything that is dropped is counted, and nothing else",
    BEHAVIORS_END: "a run leaves no behavior loaded",
    BOXES_END: "a run leaves no box",
}
