//! The requests of primers. They are made when no start and no update of the status waits.

use kube::api::PostParams;

use super::Engine;
use super::requests::{OTHERS, Refusal};
use crate::client::{Failure, within};
use crate::crd::Time;
use crate::new_job::primer_job;
use crate::object::{JobView, KronJobView};
use crate::plan::{Observation, PrimerCreated};

impl Engine {
    pub(super) async fn create_primer(&self, kronjob: &KronJobView, term: u64, period: Time, name: &str) {
        let template = match self.primer_template(kronjob).await {
            Ok(Some(template)) => template,
            // It was edited meanwhile, or is gone.
            Ok(None) => return,
            Err(refusal) => {
                let again = refusal.failure.passing();
                let created = self.primer_not_created(kronjob, term, refusal, again);
                return self.observe(
                    kronjob,
                    term,
                    Observation::PrimerCreated { period, name, answer: created },
                );
            }
        };
        if !self.may_write().await {
            return;
        }
        let body = primer_job(kronjob, &template, period, name);
        self.observe(kronjob, term, Observation::CreatingPrimer);
        let params = PostParams { field_manager: Some("kron-operator".into()), ..PostParams::default() };
        // A request that was not sent when the Lease ends must not be sent later.
        let post = within(self.shared.lease.remaining(), self.post(kronjob, &body, &params));
        let created = match self.ask("create", post).await {
            Ok(job) => {
                tracing::info!(kronjob = %kronjob.key, job = name, %period, "created a primer");
                // The plan knows it at once, before the watch shows it.
                self.state().put_job_if_new(JobView::read(&job));
                PrimerCreated::Ours
            }
            Err(Refusal { failure: Failure::AlreadyExists, .. }) => match self.get_job(kronjob, name).await {
                Ok(Some(_)) => PrimerCreated::Ours,
                Ok(None) => PrimerCreated::Taken,
                Err(Refusal { message, .. }) => PrimerCreated::Failed { retry_at: None, message },
            },
            Err(refusal) => {
                // A request is sent again only if it was certainly not carried out.
                let again = refusal.failure.passing() && refusal.failure.not_executed();
                self.primer_not_created(kronjob, term, refusal, again)
            }
        };
        self.observe(kronjob, term, Observation::PrimerCreated { period, name, answer: created });
    }

    fn primer_not_created(
        &self,
        kronjob: &KronJobView,
        term: u64,
        refusal: Refusal,
        again: bool,
    ) -> PrimerCreated {
        let Refusal { failure, message } = refusal;
        self.shared.metrics.error(failure.code());
        let failures = self.failures(kronjob, term).create_primer;
        let retry_at = again.then(|| self.retry_at(failures, OTHERS, failure));
        PrimerCreated::Failed { retry_at, message }
    }

    pub(super) async fn delete_primer(&self, kronjob: &KronJobView, term: u64, name: &str, uid: &str) {
        if !self.may_write().await {
            return;
        }
        match self.delete(kronjob, name, uid).await {
            Ok(()) => self.observe(kronjob, term, Observation::DeletedPrimer { name, uid }),
            Err(Refusal { failure, message }) => {
                self.shared.metrics.error(failure.code());
                let retry_at = self.retry_at(self.failures(kronjob, term).delete_primer, OTHERS, failure);
                let error = message.as_str();
                self.observe(kronjob, term, Observation::NotDeletedPrimer { name, error, retry_at });
            }
        }
    }
}
