//! Values of a run as a table for other programs.

use crate::entry::{StoreEntry, Texts};
use crate::queries::ItemRef;
use crate::snapshot::{About, Snapshot};
use crate::store::TraceStore;

/// The maximum number of rows; later rows take precedence.
const MOST_ROWS: usize = 1_000_000;
/// The maximum number of items.
const MOST_ITEMS: usize = 100;

/// The changes of some items as a table for other programs: comma-separated values, a row for each change, in the
/// order of the changes.
pub(crate) struct Table {
    of: Vec<ItemRef>,
    /// Entries with the index of their item in `of`, and the path of their box.
    entries: Vec<(usize, StoreEntry, String)>,
    texts: Texts,
}

impl Table {
    /// Collects the data. Formatting it takes longer, and needs no access to the store.
    pub(crate) fn new(store: &TraceStore, of: Vec<ItemRef>) -> Self {
        let mut places: Vec<(u32, usize)> = Vec::new();
        for (at, which) in of.iter().enumerate().take(MOST_ITEMS) {
            places
                .extend(which.find(store).into_iter().flat_map(|item| store.index.lines(item)).map(|line| (line, at)));
        }
        places.sort_unstable();
        places.dedup();
        let rows = &places[places.len().saturating_sub(MOST_ROWS)..];
        let entry = |(entry, at): &(u32, usize)| {
            let entry = store.entry(*entry)?;
            Some((*at, entry.clone(), store.path(entry).unwrap_or_default().to_owned()))
        };
        Self { entries: rows.iter().filter_map(entry).collect(), of, texts: store.texts.clone() }
    }

    /// Formats the table.
    pub(crate) fn csv(&self) -> String {
        let mut csv = "seconds,about,path,name,value\r\n".to_owned();
        for (at, entry, of_box) in &self.entries {
            let ItemRef { about, path, name } = &self.of[*at];
            let mut snapshot = Snapshot::default();
            snapshot.apply(entry, of_box, &self.texts);
            let item = About::of(about).and_then(|about| snapshot.find(about, path, name));
            let value = snapshot.changed(0).find(|set| Some(set.item) == item).map_or("", |set| set.value);
            let seconds = format!("{}.{:09}", entry.t().div_euclid(1_000_000_000), entry.t().rem_euclid(1_000_000_000));
            for (n, cell) in [seconds.as_str(), about, path, name, value].into_iter().enumerate() {
                if n > 0 {
                    csv.push(',');
                }
                csv.push_str(&cell_of(cell));
            }
            csv.push_str("\r\n");
        }
        csv
    }
}

/// Formats a cell, quoted if necessary. A text that a spreadsheet would take for a formula gets a leading `'`.
fn cell_of(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '@', '\t']) || (text.starts_with('-') && text.parse::<f64>().is_err());
    let marked = if formula { format!("'{text}") } else { text.to_owned() };
    if marked.contains([',', '"', '\n', '\r']) { format!("\"{}\"", marked.replace('"', "\"\"")) } else { marked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_safe_to_open() {
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1}"#).unwrap();
        for line in [
            r#"{"n":1,"t":1500000000,"kind":"event","key":"=1+2","value":-1.5}"#,
            r#"{"n":2,"t":2000000000,"kind":"output","path":"root/A, b","port":"p","value":"x\"y"}"#,
            r#"{"n":3,"t":2500000000,"kind":"event","key":"other","value":1}"#,
        ] {
            store.push(line).unwrap();
        }
        let of =
            |about: &str, path: &str, name: &str| ItemRef { about: about.into(), path: path.into(), name: name.into() };
        let table =
            Table::new(&store, vec![of("output", "root/A, b", "p"), of("memory", "", "=1+2"), of("no", "", "")]);
        let wanted = "seconds,about,path,name,value\r\n1.500000000,memory,,'=1+2,-1.5\r\n2.000000000,output,\"root/A, b\",p,\"\"\"x\\\"\"y\"\"\"\r\n";
        assert_eq!(table.csv(), wanted);
    }
}
