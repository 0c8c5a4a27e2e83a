//! Writes the offsets of a zone as TZif data (RFC 9636), for pickles. The core does not keep the data that it has read.

use kron_core::Zone;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

/// The one abbreviation, which the core does not read: `-00` is that of a local time without a name.
const ABBREVIATION: &[u8] = b"-00\0";

/// TZif data with the changes of a zone. The core reads the same rules from it, with the same fingerprint.
///
/// Every change up to 2101 is listed, so the footer has no rule for the time after the last one.
pub(crate) fn write(zone: &Zone) -> PyResult<Vec<u8>> {
    let mut offsets = vec![zone.offset_at(i64::MIN)];
    let mut times: Vec<u8> = Vec::new();
    let mut indices: Vec<u8> = Vec::new();
    for change in zone.changes(i64::MIN) {
        let known = offsets.iter().position(|offset| *offset == change.offset_after);
        let index = known.unwrap_or(offsets.len());
        if known.is_none() {
            offsets.push(change.offset_after);
        }
        // Zones of the IANA database have fewer than 20 offsets. Other data can have two more than an index can name, as
        // the rule in its footer counts too.
        let index = u8::try_from(index).map_err(|_| {
            PyValueError::new_err(format!("{zone} has more than 256 offsets, so it cannot be pickled"))
        })?;
        times.extend(change.timestamp.to_be_bytes());
        indices.push(index);
    }
    // Version 2 begins with the data of version 1, which readers of version 2 skip.
    let mut data = header(0, 1);
    data.extend(local_time_type(0));
    data.extend(ABBREVIATION);
    data.extend(header(indices.len(), offsets.len()));
    data.extend(times);
    data.extend(indices);
    data.extend(offsets.into_iter().flat_map(local_time_type));
    data.extend(ABBREVIATION);
    data.extend(b"\n\n");
    Ok(data)
}

fn header(times: usize, types: usize) -> Vec<u8> {
    let mut header = b"TZif2".to_vec();
    header.extend([0; 15]);
    // Counts of indicators (two kinds), leap seconds, times, types and bytes of abbreviations.
    for count in [0, 0, 0, times, types, ABBREVIATION.len()] {
        // OK because a zone has at most 1,023 changes.
        header.extend((count as u32).to_be_bytes());
    }
    header
}

/// Offset, standard time, and the place of the abbreviation.
fn local_time_type(offset: i32) -> Vec<u8> {
    let mut data = offset.to_be_bytes().to_vec();
    data.extend([0, 0]);
    data
}
