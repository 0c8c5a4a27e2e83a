//! Which requests are meant: by faults, stalls and questions to the log.

use std::sync::Arc;

use crate::call::{Call, Verb};

type Predicate = Arc<dyn Fn(&Call) -> bool + Send + Sync>;

/// A choice of requests. What is not named matches everything.
///
/// ```
/// use kron_api_model::{Match, Verb};
/// let creates = Match::any().caller("replica-a").verb(Verb::Create).resource("jobs");
/// let claims = Match::any().verb(Verb::Update).resource("kronjobs").subresource("status");
/// # drop((creates, claims));
/// ```
#[derive(Clone, Default)]
pub struct Match {
    caller: Option<String>,
    verb: Option<Verb>,
    resource: Option<String>,
    subresource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    dry_run: Option<bool>,
    predicates: Vec<Predicate>,
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let or_any = |text: &Option<String>| text.clone().unwrap_or_else(|| "*".into());
        write!(
            f,
            "{} {} {}/{} {}/{} (dry run: {:?}, {} predicates)",
            or_any(&self.caller),
            self.verb.map_or("*", Verb::as_str),
            or_any(&self.resource),
            or_any(&self.subresource),
            or_any(&self.namespace),
            or_any(&self.name),
            self.dry_run,
            self.predicates.len()
        )
    }
}

impl Match {
    /// Every request.
    pub fn any() -> Match {
        Match::default()
    }

    /// Only requests of this caller.
    #[must_use]
    pub fn caller(mut self, caller: impl Into<String>) -> Match {
        self.caller = Some(caller.into());
        self
    }

    /// Only requests of this verb.
    #[must_use]
    pub fn verb(mut self, verb: Verb) -> Match {
        self.verb = Some(verb);
        self
    }

    /// Only requests for this resource (its plural), subresources included.
    #[must_use]
    pub fn resource(mut self, resource: impl Into<String>) -> Match {
        self.resource = Some(resource.into());
        self
    }

    /// Only requests for this subresource; empty means the object itself.
    #[must_use]
    pub fn subresource(mut self, subresource: impl Into<String>) -> Match {
        self.subresource = Some(subresource.into());
        self
    }

    /// Only requests in this namespace; empty means all namespaces at once, and resources without.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Match {
        self.namespace = Some(namespace.into());
        self
    }

    /// Only requests for the object of this name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Match {
        self.name = Some(name.into());
        self
    }

    /// Only dry runs, or only other requests.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Match {
        self.dry_run = Some(dry_run);
        self
    }

    /// Only requests that this holds for. Called while the model is locked: it must not call the server. Entries of
    /// the log have no body.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&Call) -> bool + Send + Sync + 'static) -> Match {
        self.predicates.push(Arc::new(predicate));
        self
    }

    /// Whether a request is meant.
    pub fn matches(&self, call: &Call) -> bool {
        let same = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|text| text == found);
        same(&self.caller, &call.caller)
            && self.verb.is_none_or(|verb| verb == call.verb)
            && same(&self.resource, &call.resource)
            && same(&self.subresource, &call.subresource)
            && same(&self.namespace, &call.namespace)
            && same(&self.name, &call.name)
            && self.dry_run.is_none_or(|dry_run| dry_run == call.dry_run)
            && self.predicates.iter().all(|predicate| predicate(call))
    }
}
