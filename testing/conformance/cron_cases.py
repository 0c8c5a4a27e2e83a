"""The questions of the cron corpus: expressions, in whole and field by field, and schedules where clocks change."""

# Where an item of a field is put. The other fields keep the list of start times short.
PLACES = ["{} * * * *", "0 {} * * *", "0 0 {} * *", "0 0 1 {} *", "0 0 * * {}"]

ITEMS = [
    # Stars and question marks.
    "*", "?", "**", "*5", "5*", "*/1", "*/5", "*/60", "*/100", "?/1", "?/2", "*,5", "5,*", "5,*/2", "*-5", "?-3", "*-*", "1-*",
    # Numbers at and beyond the bounds of each field.
    "0", "1", "5", "6", "7", "12", "13", "23", "24", "31", "32", "59", "60", "00", "007", "4294967297", "99999999999999999999",
    # Ranges and steps.
    "1-5", "5-1", "5-5", "0-7", "5-7", "6-7", "7-7", "1-5/2", "1-5/9", "5/10", "5/1", "6/2", "7/1", "7/2",
    # Lists.
    "1,2,3", "1-2,5", "1,1", "3,1", ",", ",,", "1,,2", ",1", "1,",
    # Steps that are not valid.
    "*/0", "1-5/0", "5/0", "*/", "/5", "/", "*/-1", "*/+2", "*/a", "*/1/2", "*/1.5", "*/00", "*/02", "*/99999999999999999999",
    # Signs, hyphens and other writing.
    "-", "-5", "5-", "1--5", "1-2-3", "+5", "1.5", "0x1", "1e0", "a", "\N{FULLWIDTH DIGIT ONE}", "\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT ONE}",
    # Names.
    "SUN", "sun", "Sunday", "MON-FRI", "mon-5", "1-FRI", "FRI-SUN", "SAT-SUN", "SUN-SAT", "MON,WED", "WED/2", "FRI/1",
    "JAN", "jan", "January", "JAN-DEC", "DEC-JAN", "jan-3", "JAN,JUL", "FEB/3",
    # What other schedulers have.
    "L", "5L", "L-3", "W", "15W", "LW", "1#2", "MON#1", "H", "H/5", "H(1-5)", "R", "C", "1~5", "%",
]

WHOLE = [
    # Macros.
    "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly", "@reboot", "@every 5m", "@every 1h30m", "@every",
    "@Daily", "@DAILY", "@minutely", "@secondly", "@", "@ daily", "@daily x", " @daily", "@daily ", "\t@daily", "@daily\n",
    # Numbers of fields.
    "", " ", "*", "* *", "* * *", "* * * *", "* * * * *", "* * * * * *", "* * * * * * *", "0 0 1 1 * 2030", "0 0 0 1 1 * 2030",
    # White space.
    "  0 0 * * *", "0 0 * * *  ", "0  0 *  * *", "0\t0\t*\t*\t*", "0 0 * * *\n", "0\n0 * * *", "0 0 * * *\r", "0\N{NO-BREAK SPACE}0 * * *",
    "0\N{EM SPACE}0 * * *", "0\v0 * * *", "0\f0 * * *",
    # Time zones.
    "TZ=UTC 0 0 * * *", "CRON_TZ=UTC 0 0 * * *", "TZ=Europe/Paris 0 0 * * *", "CRON_TZ=Nowhere 0 0 * * *", "TZ=UTC @daily", "TZ=UTC",
    # Quotes and comments.
    "'0 0 * * *'", "\"0 0 * * *\"", "0 0 * * * # midnight", "0 0 * * * backup",
    # Both day fields.
    "0 0 13 * 5", "0 0 13 * FRI", "0 0 */2 * 5", "0 0 */1 * 5", "0 0 *,5 * MON", "0 0 5,* * MON", "0 0 ? * MON", "0 0 ?/1 * MON", "0 0 13 * ?",
    "0 0 13 * */2", "0 0 13 * */1", "0 0 1-31 * MON", "0 0 31 * 0", "0 0 1-7 * 1", "0 0 */31 * MON", "0 0 13 * */7", "0 0 1 * 0-6",
    "0 0 * * 0,7", "0 0 * * 7,0", "0 0 * * 0-6", "0 0 * * 1-7",
    # Rare days, and days that no year has.
    "0 0 29 2 *", "0 0 30 2 *", "0 0 31 2 *", "0 0 31 4 *", "0 0 31 4,6,9,11 *", "0 0 31 4,5 *", "0 0 30 2 MON", "0 0 29 2 MON", "0 0 31 2 */1",
    "0 0 29-31 2 *", "0 0 30-31 2 *", "0 0 31 */2 *", "0 0 30 2 *,1",
    # Usual ones.
    "0 9-17 * * MON-FRI", "*/15 * * * *", "5,20,35,50 * * * *", "0 0 1,15 * *", "30 3 * * SAT", "0 0 1 */3 *", "0 12 1 JAN,APR,JUL,OCT *",
    "59 23 31 12 *", "23 0-20/2 * * *", "5 4 * * sun", "0 0,12 1 */2 *", "0 4 8-14 * *", "*/7 */5 * * *",
]

# Zones with changes of an hour, of half an hour, at midnight, and of a whole day, with an instant before each.
CHANGES = [
    ("Europe/Paris", "2026-03-28T12:00:00Z"), ("Europe/Paris", "2026-10-24T12:00:00Z"),
    ("America/New_York", "2026-03-07T12:00:00Z"), ("America/New_York", "2026-10-31T12:00:00Z"),
    ("Australia/Lord_Howe", "2025-10-04T00:00:00Z"), ("Australia/Lord_Howe", "2026-04-04T00:00:00Z"),
    ("America/Havana", "2025-03-08T12:00:00Z"), ("America/Havana", "2025-11-01T12:00:00Z"),
    ("Asia/Kathmandu", "2026-01-01T00:00:00Z"), ("Pacific/Apia", "2011-12-29T00:00:00Z"),
]
AT_CHANGES = ["* * * * *", "*/20 * * * *", "0 * * * *", "0 */2 * * *", "0 0 * * *", "30 0 * * *", "30 1 * * *", "0 2 * * *", "15 2 * * *",
              "30 2 * * *", "0 3 * * *", "30 2 * * SUN", "0 0 30 12 *"]

# The answers depend on the release of the time zone database: since 2026f, Cuba has summer time in the winter of 2026.
OF_A_RELEASE = [("0 0 30 12 *", "America/Havana")]

AFTER = "2026-03-01T00:00:00Z"


def cases():
    """Every question once, in order."""
    texts = [place.format(item) for item in ITEMS for place in PLACES] + WHOLE
    found = [(text, "UTC", AFTER) for text in texts]
    found += [(text, zone, after) for zone, after in CHANGES for text in AT_CHANGES if (text, zone) not in OF_A_RELEASE]
    return list(dict.fromkeys(found))
