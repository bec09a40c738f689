//! What a directory says of a service.

use crate::endpoint::Endpoint;
use crate::signature::{Annotation, Signature};
use crate::value::{Tuple, Value};

/// The signature on the wire. Up to NAOqi 2.5 the last field is missing.
pub(crate) const SERVICE_INFO: &str =
    "(sIsI[s]ss)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid>";

/// What a directory says of a service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceInfo {
    /// Its name.
    pub name: String,
    /// Its number.
    pub id: u32,
    /// What tells its machine from others.
    pub machine: String,
    /// Its process there.
    pub process: u32,
    /// Where it is to be reached, as text: there are kinds of which this library knows nothing.
    pub endpoints: Vec<String>,
    /// What tells its session from others.
    pub session: String,
    /// What tells the object from others: 20 bytes or none, not text.
    pub uid: Vec<u8>,
}

impl ServiceInfo {
    /// By the names of the fields where there are names, else by their order.
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
            endpoints: endpoints.iter().filter_map(|e| e.as_str().map(str::to_owned)).collect(),
            session: text("sessionId", 5)?,
            uid: field("objectUid", 6).and_then(Value::as_bytes).unwrap_or_default().to_vec(),
        })
    }

    /// As a struct with so many fields, 6 or 7.
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
        let annotation = if fields == 7 {
            Annotation::new("ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid")
        } else {
            None
        };
        Value::Tuple(Box::new(Tuple { members, annotation }))
    }

    /// The endpoints that this library can use.
    pub(crate) fn usable(&self) -> Vec<Endpoint> {
        self.endpoints.iter().filter(|e| e.starts_with("tcp")).filter_map(|e| Endpoint::parse(e).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_of_old_knows_six_fields() {
        let info =
            ServiceInfo { name: "A".into(), id: 3, endpoints: vec!["tcp://h:1".into()], ..ServiceInfo::default() };
        for fields in [6, 7] {
            let value = info.to_value(fields);
            assert_eq!(ServiceInfo::from_value(&value), Some(info.clone()));
        }
        let wanted = Signature::parse(SERVICE_INFO).unwrap();
        assert_eq!(info.to_value(7).signature().to_string(), wanted.to_string());
    }
}
