//! What scripts and inputs can subscribe to.

use std::fmt;
use std::sync::Arc;

/// The service whose signals are the ports of boxes; a signal is named `path.port`.
pub const PORTS: &str = "ALBoxstep";

/// An event source that scripts and inputs can subscribe to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A key of the robot's memory; subscribers are notified each time it is raised as an event.
    Memory(Arc<str>),
    /// A signal of a service, e.g. `ALTabletService.onTouchDown`. For the service [`PORTS`] it is a port of a box,
    /// shown as `path.port`.
    Signal(Arc<str>, Arc<str>),
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Topic::Memory(key) => f.write_str(key),
            Topic::Signal(service, port) if **service == *PORTS => f.write_str(port),
            Topic::Signal(service, signal) => write!(f, "{service}.{signal}"),
        }
    }
}
