//! Services of a package: programs that run beside the behavior that is played. On a robot they run from its start, so
//! the behavior is loaded when each has registered its service.

use crate::Engine;
use crate::clock::Alarm;
use crate::config::BehaviorSource;
use crate::ids::BehaviorId;
use crate::trace::PathId;
use boxstep_types::Diagnostic;
use std::sync::Arc;
use std::time::Duration;

/// How long the played behavior waits, on the run's clock.
const PATIENCE: Duration = Duration::from_secs(5);

/// The services that the played behavior waits for.
#[derive(Default)]
pub(crate) struct PackageServices {
    /// Each service with its program.
    awaited: Vec<(Arc<str>, BehaviorId)>,
}

impl PackageServices {
    /// Returns whether the played behavior waits for any.
    pub(crate) fn are_awaited(&self) -> bool {
        !self.awaited.is_empty()
    }
}

impl Engine {
    /// Like [`Engine::play`], with the services of the behavior's package: programs that are started before it and run
    /// until the end of the run. One that the robot has already is not started. The behavior is loaded when each has
    /// registered a service or has ended, or after some seconds.
    ///
    /// # Errors
    /// Returns the reasons why the behavior's model cannot run at all.
    pub fn play_with_services(
        &mut self,
        behavior: BehaviorSource,
        services: Vec<(Arc<str>, BehaviorSource)>,
    ) -> Result<(), Vec<Diagnostic>> {
        let id = self.open_played(behavior)?;
        for (name, program) in services {
            if self.offers(&name) {
                continue;
            }
            match self.open(program, None) {
                Ok(program) => {
                    // A service is no behavior for ALBehaviorManager.
                    self.behaviors.all[program.index()].object = true;
                    self.package_services.awaited.push((name, program));
                }
                Err(found) => {
                    let why = found.first().map_or_else(String::new, |finding| finding.message.clone());
                    self.cx.warn(PathId(0), format!("the package's service {name} cannot run: {why}"));
                }
            }
        }
        if !self.package_services.are_awaited() {
            self.load_played(id);
            return Ok(());
        }
        self.cx.alarm(self.cx.now() + PATIENCE, Alarm::LateServices);
        for (_, program) in self.package_services.awaited.clone() {
            let load = self.behaviors.load(&mut self.cx, &self.graph, program, true);
            self.spawn(load);
        }
        Ok(())
    }

    /// The played behavior does not wait any longer.
    pub(crate) fn services_are_late(&mut self) {
        for (name, program) in self.package_services.awaited.clone() {
            let text = format!("the package's service {name} is not there yet: the behavior starts without it");
            self.cx.warn(PathId(0), text);
            self.no_longer_await(program);
        }
    }

    /// A program has registered a service, has ended, or could not be loaded. It may name its service otherwise than the
    /// manifest does.
    pub(crate) fn no_longer_await(&mut self, program: BehaviorId) {
        let awaited = &mut self.package_services.awaited;
        let before = awaited.len();
        awaited.retain(|(_, of)| *of != program);
        if awaited.len() < before
            && awaited.is_empty()
            && !self.end.has_begun()
            && let Some(id) = self.behaviors.played
            // A program may have started it.
            && !self.behaviors.all[id.index()].used
        {
            self.load_played(id);
        }
    }
}
