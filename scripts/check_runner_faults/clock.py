"""The clock of the machine, which is set while a run goes on, and the time that really passes.

What the check does and sees has steady times: seconds that pass evenly, and are Unix times as long as the clock is not set. Periods,
chosen times, the log and the state file have the times that the clock shows.
"""
import collections
import time

# So long before and after it is set, it is unknown which time a runner had read.
GUARD = 6

# From a steady time on, the clock shows `ahead` seconds more.
Stretch = collections.namedtuple("Stretch", "begin ahead")


def uptime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Clock:
    """Which time was shown when. `base` is added to the seconds since the machine was started."""

    def __init__(self, base=None):
        self.base = time.time() - uptime() if base is None else base
        self.stretches = [Stretch(-float("inf"), 0.0)]

    def now(self):
        """The steady time."""
        return uptime() + self.base

    def ahead(self):
        return self.stretches[-1].ahead

    def set(self, ahead):
        """Sets the clock of the machine, so many seconds ahead of the steady time."""
        now = self.now()
        time.clock_settime(time.CLOCK_REALTIME, now + ahead)
        self.stretches.append(Stretch(now, ahead))

    def ended(self):
        """The stretches with their ends."""
        ends = [stretch.begin for stretch in self.stretches[1:]] + [float("inf")]
        return [(stretch.begin, end, stretch.ahead) for stretch, end in zip(self.stretches, ends)]

    def shown(self, steady):
        """What the clock showed at a steady time."""
        return steady + next(stretch.ahead for stretch in reversed(self.stretches) if stretch.begin <= steady)

    def times(self, shown):
        """The steady times at which it showed a time, in order."""
        return [shown - ahead for begin, end, ahead in self.ended() if begin <= shown - ahead < end]

    def reached(self, shown):
        """The steady times at which it showed a time, or passed over it."""
        found = self.times(shown)
        for before, after in zip(self.stretches, self.stretches[1:]):
            if after.begin + before.ahead <= shown < after.begin + after.ahead:
                found.append(after.begin)
        return sorted(found)

    def latest(self, shown, now):
        """The last steady time up to now at which it showed a time; now if it is unknown."""
        return max((steady for steady in self.times(shown) if steady <= now), default=now)

    def plain(self, *times):
        """How many seconds it was ahead if it showed all times between these once, one after the other; otherwise None."""
        first, last = min(times) - GUARD, max(times) + GUARD
        found = [(begin, end, ahead) for begin, end, ahead in self.ended() if begin + ahead <= last and end + ahead >= first]
        if len(found) != 1:
            return None
        begin, end, ahead = found[0]
        return ahead if begin + ahead <= first and last <= end + ahead else None

    def was_set(self, first, last):
        """Whether it was set in a stretch of steady time."""
        return any(first <= stretch.begin <= last for stretch in self.stretches[1:])


CLOCK = Clock()
