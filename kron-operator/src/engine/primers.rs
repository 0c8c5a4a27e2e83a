//! The requests of primers. They are made when no start and no update of the status waits.

use kron_crd::Time;

use super::answer::{FollowUp, Refusal};
use super::shared::Engine;
use crate::new_job::primer_job;
use crate::object::{JobView, KronJobView};
use crate::plan::Observation;

impl Engine {
    pub(super) async fn create_primer(&self, kronjob: &KronJobView, term: u64, period: Time, name: &str) {
        let delayed = |refusal: &Refusal| {
            self.enter(kronjob, term, |interpreter| interpreter.primer_delayed(period, name, refusal));
        };
        let read = self.primer_template(kronjob).await;
        let Some(template) = self.to_send(term, read, delayed).await else { return };
        let body = primer_job(kronjob, &template, period, name, &self.shared.options.primer_image);
        self.observe(kronjob, term, Observation::CreatingPrimer);
        let post = self.post_in_term(term, kronjob, &body);
        let answer = self.ask("create", post).await.map(|job| JobView::read(&job));
        if answer.is_ok() {
            tracing::info!(kronjob = %kronjob.key, job = name, %period, "created a primer");
        }
        let follow_up = self
            .enter(kronjob, term, |interpreter| interpreter.primer_created(period, name, answer.as_ref()));
        if follow_up == Some(FollowUp::GetJob) {
            let answer = self.get_job(kronjob, name).await;
            self.enter(kronjob, term, |interpreter| {
                interpreter.got_existing_primer(period, name, answer.as_ref().map(Option::as_ref))
            });
        }
    }
}
