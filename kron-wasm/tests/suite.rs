//! Tests of an instance as a host of the module uses it, natively.

mod answers;
#[cfg(feature = "fleet")]
mod command;
#[cfg(feature = "fleet")]
mod fleet;
#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
mod limits;
mod starts;

use kron_wasm::Instance;
use serde_json::Value;

/// An instance, and its answers as values.
#[derive(Default)]
struct Host {
    instance: Instance,
}

impl Host {
    /// The answer to a request, as a host asks it: by a buffer.
    fn ask(&mut self, request: Value) -> Result<Value, Value> {
        let text = request.to_string();
        let buffer = self.instance.allocate(text.len());
        self.instance.buffer(buffer).unwrap().copy_from_slice(text.as_bytes());
        self.instance.call(buffer, text.len());
        self.instance.free(buffer);
        self.answer()
    }

    fn answer(&self) -> Result<Value, Value> {
        let mut answer: Value = serde_json::from_str(self.instance.answer()).unwrap();
        if answer["error"].is_null() { Ok(answer["ok"].take()) } else { Err(answer["error"].take()) }
    }

    /// The handle of a job.
    fn job(&mut self, name: &str, text: &str) -> u32 {
        let parsed = self.ask(serde_json::json!({"ask": "job", "name": name, "text": text})).unwrap();
        parsed["job"].as_u64().unwrap() as u32
    }
}
