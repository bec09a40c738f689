//! Mocked answers that a test or scenario gives in place of the robot: [`Config::mocks`](crate::config::Config::mocks).
//!
//! Mocks come before every service, including the engine's own, and are the same for every robot.

use crate::calls::EngineAnswer;
use crate::clock::Alarm;
use crate::config::{Config, Mock};
use crate::context::Context;
use crate::protocol::CallId;
use crate::services::ServiceError;
use boxstep_types::Value;

impl Mock {
    /// Returns whether the mock answers this call.
    fn fits(&self, service: &str, method: &str, args: &[Value]) -> bool {
        let equal = |(wanted, found): (&Option<Value>, &Value)| wanted.as_ref().is_none_or(|w| w.alike(found));
        self.service == service
            && self.method == method
            && self.args.len() <= args.len()
            && self.args.iter().zip(args).all(equal)
            && self.times != Some(0)
    }
}

impl Config {
    /// The answer of a mock by its number.
    pub(crate) fn mock_answer(&self, index: usize) -> Option<Result<Value, ServiceError>> {
        self.mocks.get(index).map(answer)
    }

    /// Returns whether a mock answers any call of this service.
    pub(crate) fn has_mock(&self, service: &str) -> bool {
        self.mocks.iter().any(|m| m.service == service)
    }

    /// Answers a call with the first mock that fits; `None` if none does.
    pub(crate) fn mock(
        &mut self,
        cx: &mut Context,
        call: CallId,
        service: &str,
        method: &str,
        args: &[Value],
    ) -> Option<EngineAnswer> {
        let index = self.mocks.iter().position(|m| m.fits(service, method, args))?;
        let mock = &mut self.mocks[index];
        if let Some(left) = &mut mock.times {
            *left -= 1;
        }
        if mock.takes.is_zero() {
            return Some(EngineAnswer::Ready(answer(mock)));
        }
        let at = cx.now() + mock.takes;
        cx.alarm(at, Alarm::Mock(call, index));
        Some(EngineAnswer::Pending)
    }
}

fn answer(mock: &Mock) -> Result<Value, ServiceError> {
    mock.answer.clone().map_err(ServiceError::Failed)
}
