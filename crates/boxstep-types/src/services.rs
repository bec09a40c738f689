//! The names of the services that the engine provides.

use crate::PORTS;

/// The services that the engine provides itself, with any robot. Scripts can also call [`PORTS`].
pub const ENGINE_SERVICES: [&str; 3] = ["ALBehaviorManager", "ALFrameManager", "ALResourceManager"];

/// Returns true if the engine itself answers scripts' calls of this service, with any robot.
pub fn is_engine_service(service: &str) -> bool {
    service == PORTS || ENGINE_SERVICES.contains(&service)
}
