//! This computer, as others see it in the network.

use std::fs;

/// Returns the name of this computer; `robot` if the system does not say it.
pub(crate) fn name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok()).or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "robot".to_owned(), |name| name.trim().to_owned())
}
