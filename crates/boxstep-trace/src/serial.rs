//! Serde representations of fields that no serde attribute covers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether a field has its default value, and can be left out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Deserializes a field that is present as `Some`, even if its value is `null`. (Serde would make `null` a `None`.)
pub(crate) fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

/// Serializes a list of pairs as an object, in the order of the list.
pub(crate) mod pairs {
    use super::*;
    use serde::de::{MapAccess, Visitor};
    use std::fmt;
    use std::marker::PhantomData;

    pub(crate) fn serialize<K, V, S>(pairs: &impl AsRef<[(K, V)]>, s: S) -> Result<S::Ok, S::Error>
    where
        K: Serialize,
        V: Serialize,
        S: Serializer,
    {
        s.collect_map(pairs.as_ref().iter().map(|(key, value)| (key, value)))
    }

    pub(crate) fn deserialize<'de, K, V, P, D>(d: D) -> Result<P, D::Error>
    where
        K: Deserialize<'de>,
        V: Deserialize<'de>,
        P: FromIterator<(K, V)>,
        D: Deserializer<'de>,
    {
        struct Pairs<K, V, P>(PhantomData<(K, V, P)>);
        impl<'de, K, V, P> Visitor<'de> for Pairs<K, V, P>
        where
            K: Deserialize<'de>,
            V: Deserialize<'de>,
            P: FromIterator<(K, V)>,
        {
            type Value = P;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<P, M::Error> {
                std::iter::from_fn(|| map.next_entry().transpose()).collect()
            }
        }
        d.deserialize_map(Pairs(PhantomData))
    }
}

/// Serializes a `Result` as one of the fields `value` and `error`.
pub(crate) mod result {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Field<V, E> {
        Value(V),
        Error(E),
    }

    pub(crate) fn serialize<V: Serialize, E: Serialize, S: Serializer>(
        result: &Result<V, E>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        match result {
            Ok(value) => Field::<&V, &E>::Value(value).serialize(s),
            Err(error) => Field::<&V, &E>::Error(error).serialize(s),
        }
    }

    pub(crate) fn deserialize<'de, V, E, D>(d: D) -> Result<Result<V, E>, D::Error>
    where
        V: Deserialize<'de>,
        E: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Field::deserialize(d).map(|field| match field {
            Field::Value(value) => Ok(value),
            Field::Error(error) => Err(error),
        })
    }
}

/// Serializes whether a run is deterministic, as `deterministic` and, if it is not, `why`.
pub(crate) mod determinism {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub(crate) struct Fields {
        #[serde(default)]
        deterministic: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    }

    pub(crate) fn serialize<S: Serializer>(same: &Result<(), String>, s: S) -> Result<S::Ok, S::Error> {
        Fields { deterministic: same.is_ok(), why: same.clone().err() }.serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Result<(), String>, D::Error> {
        let Fields { deterministic, why } = Fields::deserialize(d)?;
        Ok(if deterministic { Ok(()) } else { Err(why.unwrap_or_else(|| "it does not say why".to_owned())) })
    }
}
