//! What a server says of itself: its version, and that it is well.

use serde_json::json;

use crate::routes::Route;
use crate::status::Status;
use crate::verbs::Reply;

pub(crate) fn answer(route: &Route) -> Result<Reply, Status> {
    match route {
        Route::Version => Ok(Reply::value(
            200,
            &json!({"major": "1", "minor": "36", "gitVersion": "v1.36.0-model", "gitCommit": "", "gitTreeState": "",
                "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "linux/amd64"}),
        )),
        Route::Health => Ok(Reply { code: 200, body: b"ok".to_vec(), warnings: Vec::new() }),
        Route::Resource(_) | Route::Nothing => Err(Status::no_such_path()),
    }
}
