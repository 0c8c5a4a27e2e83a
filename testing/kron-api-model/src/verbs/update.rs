//! Replacing an object, and what replacing and patching have in common.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kron_api_schema::{ErrorKind, FieldError};
use serde_json::Value;

use crate::call::Call;
use crate::json;
use crate::kinds::{self, ObjectError, Part};
use crate::meta;
use crate::options;
use crate::resource::Strategy;
use crate::status::Status;
use crate::store::Store;
use crate::table::Object;
use crate::verbs::{self, Reply, Target, create};

pub(crate) fn update(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let object = verbs::read_object(call, target)?;
    let place = target.place(&call.namespace, &call.name);
    let Some(old) = store.table(target.table).get(&place.key).cloned() else {
        if target.resource.strategy.create_on_update() && verbs::part(call) == Part::Main {
            return create::insert(store, call, target, object, now);
        }
        return Err(target.not_found(call));
    };
    if json::text_or_empty(&object, &["metadata", "resourceVersion"]).is_empty()
        && !target.resource.strategy.unconditional_update()
    {
        let detail = "0x0: must be specified for an update";
        let cause = FieldError::new(ErrorKind::Invalid, "metadata.resourceVersion", None, detail);
        return Err(Status::invalid(&call.group, &call.resource, &call.name, &[cause]));
    }
    replace(store, call, target, &old, object, now)
}

/// Makes `new` (in the form of the caller's view) the next state of `old`.
pub(crate) fn replace(
    store: &mut Store,
    call: &Call,
    target: &Target,
    old: &Arc<Object>,
    mut new: Value,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let validation = options::validation(call)?;
    let resource = &target.resource;
    let place = target.place(&call.namespace, &call.name);
    let is_patch = call.verb == crate::call::Verb::Patch;
    let refuse = |cause: String| {
        if is_patch {
            let patch = FieldError::invalid("patch", call.body.to_string(), cause);
            Status::invalid("", "", "", &[patch])
        } else {
            kinds::cannot_be_handled(&target.view, &cause)
        }
    };
    let unknown = kinds::decode(resource, &target.view, &mut new)
        .map_err(|fault| fault.into_status(resource, &target.view, &call.name))?;
    let mut warnings = verbs::judge_unknown(validation, unknown, refuse)?;
    check_preconditions(call, target, old, &new)?;
    let mut causes = meta::carry_over(&old.value, &mut new);
    json::set(&mut new, &["metadata", "resourceVersion"], old.version.to_string());
    match kinds::update(resource, &target.view, verbs::part(call), &old.value, &mut new) {
        Ok(others) => warnings.extend(others),
        Err(others) => causes.extend(others),
    }
    causes.extend(meta::causes(resource, &new));
    if !causes.is_empty() {
        return Err(ObjectError::Invalid(causes).into_status(resource, &target.view, &call.name));
    }
    json::set(&mut new, &["metadata", "resourceVersion"], old.version.to_string());
    let unchanged = new == old.value;
    if unchanged || call.dry_run {
        return Ok(Reply::object(200, &new, &target.view, warnings));
    }
    let finished = old.is_terminating() && json::list(&new, &["metadata", "finalizers"]).is_empty();
    if finished && !matches!(resource.strategy, Strategy::Namespace) {
        // The last finalizer is gone: the object is removed instead of written, and watches see nothing else.
        store.remove(&place);
        return Ok(Reply::object(200, &new, &target.view, warnings));
    }
    let stored = store.put(&place, new);
    let reply = Reply::object(200, &stored.value, &target.view, warnings);
    if matches!(resource.strategy, Strategy::Definition) && verbs::part(call) == Part::Main {
        create::establish(store, &place, now);
    }
    Ok(reply)
}

fn check_preconditions(call: &Call, target: &Target, old: &Object, new: &Value) -> Result<(), Status> {
    let uid = json::text_or_empty(new, &["metadata", "uid"]);
    if !uid.is_empty() && uid != old.uid() {
        let key = match call.namespace.as_str() {
            "" => format!("/registry/{}/{}", target.resource.plural, call.name),
            namespace => format!("/registry/{}/{namespace}/{}", target.resource.plural, call.name),
        };
        let cause = format!(
            "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition \
             failed: UID in precondition: {uid}, UID in object meta: {}",
            old.uid()
        );
        return Err(Status::conflict(&call.group, &call.resource, &call.name, &cause));
    }
    let version = json::text_or_empty(new, &["metadata", "resourceVersion"]);
    if version.is_empty() || version == "0" {
        return Ok(());
    }
    match version.parse::<u64>() {
        Ok(version) if version == old.version => Ok(()),
        Ok(_) => Err(Status::modified(&call.group, &call.resource, &call.name)),
        Err(_) => {
            let detail = format!("strconv.ParseUint: parsing {version:?}: invalid syntax");
            let cause = FieldError::invalid("metadata.resourceVersion", version, detail);
            Err(Status::invalid(&call.group, &target.resource.kind, &call.name, &[cause]))
        }
    }
}
