//! The table of formats.

use super::{argo, cronjob, crontab, expression, jenkins, systemd};
use crate::convert::format::Format;
use crate::convert::reader::Reader;

/// How a format is recognized and converted.
pub(super) const fn reader(format: Format) -> Reader {
    match format {
        Format::CronJob => cronjob::READER,
        Format::Crontab => crontab::OF_A_USER,
        Format::CronD => crontab::OF_THE_SYSTEM,
        Format::Jenkins => jenkins::READER,
        Format::Systemd => systemd::READER,
        Format::Argo => argo::READER,
        Format::Quartz => expression::QUARTZ,
        Format::Spring => expression::SPRING,
        Format::EventBridge => expression::EVENTBRIDGE,
        Format::Croner => expression::CRONER,
        Format::NodeCron => expression::NODE_CRON,
        Format::ApScheduler => expression::APSCHEDULER,
    }
}
