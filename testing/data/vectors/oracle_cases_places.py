"""The case list of places.json."""

CASES = []


def cases(text, *names):
    CASES.extend({"text": text, "name": name} for name in names)


NAMES = ("ops/backup", "ops/recyclarr", "web/clean", "ünïcode job", "a")

# One time of day, by name, salt, mode and distribution.
cases("0 0 * * * @win(after,2h)", *NAMES)
cases("@daily @win(after,2h)", *NAMES)
cases("0 0 * * * @win(after,2h) @seed(fixed)", "ops/backup")
cases("0 0 * * * @win(after,2h) @seed(fixed,salt=3)", *NAMES)
cases("30 12 * * MON-FRI @win(around,3h)", *NAMES)
cases("30 12 1,15 * * @win(before,3h)", *NAMES)
cases("0 3 * * * @win(after,6h) @dist(skewEarly,shape=3)", *NAMES)
cases("0 3 * * * @win(around,6h) @dist(normal,sigma=20m)", *NAMES)
cases("0 3 * * * @win(after,6h) @dist(exponential,lambda=2,dir=late)", *NAMES)

# The next run, the end of the day, and pairs of hours and minutes.
cases("*/15 * * * * @win(after,1h)", *NAMES)
cases("*/20 8-18 * * 1-5 @win(around,40m)", *NAMES)
cases("0 23 * * MON @win(after,3h)", *NAMES)
cases("0 23 * * ? @win(after,3h)", *NAMES)
cases("0 23 */1 * * @win(after,3h)", "ops/backup", "a")
cases("0 1 1 * * @win(before,3h)", *NAMES)
cases("0,45 3 * * * @win(after,1h)", *NAMES)
cases("5,35 6,18 * * * @win(around,50m)", *NAMES)
cases("10-12 4 * * * @win(after,2m)", "ops/backup", "a")
cases("0 */6 * * * @win(after,4h)", *NAMES)
cases("0/30 0-22/2 * jan sun @win(after,20m)", *NAMES)
cases("0 9,10,11 ? * * @win(after,59m)", *NAMES)
cases("0  4\t* *  * @win(after,150s)", *NAMES)
cases("0 4 * * *", "ops/backup", "a")

# Constraints hold on every day of the schedule.
cases("0 9 * * * @win(after,40m) @avoid(between=09:10-09:30)", *NAMES)
cases("0 9 * * TUE @win(after,20m) @avoid(between=09:05-09:30&dow=MON)", "ops/backup", "a")
cases("0 9 * * TUE @win(after,20m) @avoid(between=09:05-09:30&dow=TUE&months=2)", "ops/backup", "a")
cases("50 23 * * * @win(around,40m) @only(between=23:40-00:05)", *NAMES)
cases("0 9 * * MON @win(after,6m) @avoid(dates=2099-12-28..2099-12-31&between=09:00-09:03)", "ops/backup")
cases("0 9 * * * @win(after,6m) @avoid(date=2100-01-01&hours=9)", "ops/backup")
cases("0 9 * * * @win(after,10m) @only(hours=3)", "ops/backup")
