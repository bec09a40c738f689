//! The figures that are measured side by side with a peer, in one go.

use crate::{Outcome, tools};

/// A bare Python call, a bare hand-over between threads, a bare start of Python, a bare timed loop.
pub(crate) fn run() -> Outcome {
    tools::run(
        tools::cargo(&["bench", "--quiet", "--package", "boxstep", "--bench", "performance", "--", "peers"])
            .env_remove("RUSTFLAGS"),
    )
}
