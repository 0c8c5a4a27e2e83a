resource "google_cloud_scheduler_job" "backup" {
  name      = "backup"
  schedule  = "0 3 * * *"
  time_zone = "Europe/Berlin"
}
