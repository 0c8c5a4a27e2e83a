//! Reading one object.

use crate::call::Call;
use crate::status::Status;
use crate::store::Store;
use crate::verbs::{Reply, Target};

/// `stale`: the version that reads which allow it are served at.
pub(crate) fn get(store: &Store, call: &Call, target: &Target, stale: Option<u64>) -> Result<Reply, Status> {
    let place = target.place(&call.namespace, &call.name);
    let table = store.table(target.table);
    let version = call.parameter("resourceVersion").unwrap_or_default();
    let wanted: Option<u64> = match version {
        "" => None,
        text => Some(text.parse().map_err(|_| {
            Status::bad_request(format!("strconv.ParseUint: parsing {text:?}: invalid syntax"))
        })?),
    };
    if let Some(wanted) = wanted.filter(|&wanted| wanted > store.version()) {
        return Err(Status::too_large(wanted, store.version()));
    }
    let object = match (wanted, stale) {
        (Some(wanted), Some(stale)) if wanted <= stale => {
            table.at(stale.max(table.oldest())).and_then(|snapshot| snapshot.get(&place.key).cloned())
        }
        _ => table.get(&place.key).cloned(),
    };
    let object = object.ok_or_else(|| target.not_found(call))?;
    Ok(Reply::object(200, &object.value, &target.view, Vec::new()))
}
