//! Writes TZif data, so that tests have zones with rules of their own.

extern crate alloc;

use alloc::{format, vec, vec::Vec};

/// TZif data of version 2: a first offset, changes to others, and a footer.
pub fn tzif_of(first: i32, changes: &[(i64, i32)], footer: &str) -> Vec<u8> {
    let mut types: Vec<i32> = vec![first];
    let mut indices = Vec::new();
    for (_, offset) in changes {
        let index = types.iter().position(|known| known == offset).unwrap_or_else(|| {
            types.push(*offset);
            types.len() - 1
        });
        indices.push(index as u8);
    }
    let header = |times: u32, types: u32, chars: u32| {
        let mut header = b"TZif2".to_vec();
        header.extend([0; 15]);
        for count in [0, 0, 0, times, types, chars] {
            header.extend(u32::to_be_bytes(count));
        }
        header
    };
    // The block of version 1 may be left empty but for one type.
    let mut data = header(0, 1, 1);
    data.extend([0; 6]);
    data.push(0);
    data.extend(header(changes.len() as u32, types.len() as u32, 4));
    changes.iter().for_each(|(start, _)| data.extend(start.to_be_bytes()));
    data.extend(&indices);
    for offset in &types {
        data.extend(offset.to_be_bytes());
        data.extend([0, 0]);
    }
    data.extend(b"LMT\0");
    data.extend(format!("\n{footer}\n").as_bytes());
    data
}
