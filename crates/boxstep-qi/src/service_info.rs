//! The description of a service in a directory.

use crate::endpoint::Endpoint;
use crate::signature::{Annotation, Signature};
use crate::value::{Tuple, Value};

/// The signature on the wire. Up to NAOqi 2.8 the last field is missing.
pub(crate) const SERVICE_INFO: &str =
    "(sIsI[s]ss)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid>";

/// The signature up to NAOqi 2.8.
pub(crate) const SIX_FIELDS: &str = "(sIsI[s]s)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId>";

/// How many addresses of a service are looked at; robots tell one for each of their networks, with and without TLS.
const MOST_ENDPOINTS: usize = 32;

/// The description of a service in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceInfo {
    /// The name.
    pub name: String,
    /// The number.
    pub id: u32,
    /// The identifier of the machine.
    pub machine: String,
    /// The process number on that machine.
    pub process: u32,
    /// The addresses at which the service is reachable, as text: some are of kinds that this library does not know.
    pub endpoints: Vec<String>,
    /// The identifier of the session.
    pub session: String,
    /// The identifier of the object: 20 bytes or none, not text.
    pub uid: Vec<u8>,
}

impl ServiceInfo {
    /// Reads a description, by field names if the struct has them, else by the order of the fields.
    pub(crate) fn from_value(value: &Value) -> Option<ServiceInfo> {
        let members = value.as_slice()?;
        let field = |name: &str, at: usize| value.field(name).or_else(|| members.get(at));
        let text = |name, at| Some(String::from_utf8_lossy(field(name, at)?.as_bytes()?).into_owned());
        let endpoints = field("endpoints", 4)?.as_slice()?;
        Some(ServiceInfo {
            name: text("name", 0)?,
            id: field("serviceId", 1)?.as_u32()?,
            machine: text("machineId", 2)?,
            process: field("processId", 3)?.as_u32()?,
            endpoints: endpoints.iter().take(MOST_ENDPOINTS).filter_map(|e| e.as_str().map(str::to_owned)).collect(),
            session: text("sessionId", 5)?,
            uid: field("objectUid", 6).and_then(Value::as_bytes).unwrap_or_default().to_vec(),
        })
    }

    /// Returns the description as a struct of this many fields, 6 or 7.
    pub(crate) fn to_value(&self, fields: usize) -> Value {
        let endpoints = self.endpoints.iter().map(|e| Value::from(e.as_str())).collect();
        let mut members = vec![
            Value::from(self.name.as_str()),
            Value::U32(self.id),
            Value::from(self.machine.as_str()),
            Value::U32(self.process),
            Value::list_of(Signature::Str, endpoints),
            Value::from(self.session.as_str()),
            Value::Str(self.uid.clone()),
        ];
        members.truncate(fields);
        let annotation = Annotation::new(match fields {
            7 => "ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid",
            _ => "ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId",
        });
        Value::Tuple(Box::new(Tuple { members, annotation }))
    }

    /// Returns the endpoints that this library can use.
    pub(crate) fn usable(&self) -> Vec<Endpoint> {
        self.endpoints.iter().filter(|e| e.starts_with("tcp")).filter_map(|e| Endpoint::parse(e).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_directory_has_six_fields() {
        let info =
            ServiceInfo { name: "A".into(), id: 3, endpoints: vec!["tcp://h:1".into()], ..ServiceInfo::default() };
        for fields in [6, 7] {
            let value = info.to_value(fields);
            assert_eq!(ServiceInfo::from_value(&value), Some(info.clone()));
        }
        for (fields, wanted) in [(6, SIX_FIELDS), (7, SERVICE_INFO)] {
            let wanted = Signature::parse(wanted).unwrap();
            assert_eq!(info.to_value(fields).signature().to_string(), wanted.to_string());
        }
    }
}
