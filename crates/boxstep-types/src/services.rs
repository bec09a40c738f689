//! Services that the engine provides.

use crate::PORTS;

/// The services that the engine provides itself, whatever robot it plays on. Scripts have one more: [`PORTS`].
pub const ENGINE_SERVICES: [&str; 3] = ["ALBehaviorManager", "ALFrameManager", "ALResourceManager"];

/// Does the engine answer a script's calls of this service itself, whatever robot it plays on?
pub fn is_engine_service(service: &str) -> bool {
    service == PORTS || ENGINE_SERVICES.contains(&service)
}
