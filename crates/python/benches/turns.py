"""Pieces of work timed in turns, and what to say of their times."""

import time
from statistics import median


def turns(works, rounds):
    """The times of each piece of work, in seconds: one of each a round, so that all meet the same machine."""
    times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    return times


def table(title, times, peer, unit, value):
    """Prints a row for each piece of work: the median time in a unit, and how many times as fast as `peer` it was in
    the same round, median and range."""
    print(f"\n| {title} | {unit} | times {peer} | from | to |\n|---|---:|---:|---:|---:|")
    for name, own in times.items():
        ratios = [theirs / ours for theirs, ours in zip(times[peer], own)]
        cells = [f"{one:.3g}" for one in (median(ratios), min(ratios), max(ratios))]
        print(f"| {name} | {value(median(own)):,.0f} | {' | '.join(cells)} |")
