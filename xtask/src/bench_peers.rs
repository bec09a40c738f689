//! The figures that are measured side by side with a peer, in one go.

use crate::{Outcome, interop, tools};

/// libqi's own client and a bare socket; then a bare Python call, a bare hand-over between threads, a bare start of Python, a bare timed loop.
pub(crate) fn run() -> Outcome {
    let qi = tools::run(
        tools::cargo(&["bench", "--quiet", "--package", "boxstep-qi", "--bench", "peers"])
            .env("BOXSTEP_QI_PYTHON", interop::python()?)
            .env_remove("RUSTFLAGS"),
    );
    // A bar that is not reached in one is no reason to leave the others out.
    tools::run(
        tools::cargo(&["bench", "--quiet", "--package", "boxstep", "--bench", "performance", "--", "peers"])
            .env_remove("RUSTFLAGS"),
    )
    .and(qi)
}
