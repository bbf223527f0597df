#!/usr/bin/env python3
"""Measures how long commands of mintmark take to start, as ratios to `node -e 0`.

    verify/src/test/bench/start_times.py --rounds 15
    verify/src/test/bench/start_times.py --rounds 15 --data DIR    with pool list, on a running server's database
    verify/src/test/bench/start_times.py --program DIR/bin/mintmark    of an unpacked archive

Every round runs every command once, in turn, so that all see the same load of the machine. A ratio is the median of
the ratios of the rounds. Elapsed time includes waiting for processors; processor time is user and system time of the
process and its children. Prints a table in Markdown. The exit status is 1 if a ratio of processor time is above its
limit, and 2 if a command fails.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

PROGRAM = pathlib.Path(__file__).resolve().parents[4] / "mintmark"
ID = "01FZG96YPZK4SANAG1ZM5T2K9Z"
NODE = "node -e 0"


def run(command):
    """Runs a command and returns its elapsed and its processor time in milliseconds."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        print(f"{' '.join(command)}: exit status {process.returncode}", file=sys.stderr)
        sys.exit(2)
    return 1000 * elapsed, 1000 * (usage.ru_utime + usage.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="default: 15")
    parser.add_argument("--data", help="data directory of a running mintmark serve, for pool list")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="default: that of the checkout")
    arguments = parser.parse_args()

    program = arguments.program.resolve()
    mintmark = str(program)
    commands = {
        NODE: (["node", "-e", "0"], None),
        "--version": ([mintmark, "--version"], 2.5),
        "mint --help": (["bash", "-c", f"cd '{program.parent}' && ./mintmark mint --help"], 2.5),
        "mint": ([mintmark, "mint"], 3.5),
        "inspect": ([mintmark, "inspect", ID], 3.5),
    }
    if arguments.data:
        commands["pool list"] = ([mintmark, "pool", "list", "--data", arguments.data], 7)

    # The first command makes the class-data archive, and the others what they find in caches.
    os.environ["MINTMARK_START"] = "now"
    for command, _ in commands.values():
        run(command)
    times = {name: [] for name in commands}
    for _ in range(arguments.rounds):
        for name, (command, _) in commands.items():
            times[name].append(run(command))

    failed = False
    print("| command | elapsed | elapsed, ratio | processor time | processor time, ratio | at most | |")
    print("|---|--:|--:|--:|--:|--:|---|")
    for name, (_, limit) in commands.items():
        cells = [f"`{name}`"]
        for which in (0, 1):
            median = statistics.median(each[which] for each in times[name])
            ratio = statistics.median(
                each[which] / node[which] for each, node in zip(times[name], times[NODE]) if node[which] > 0
            )
            cells += [f"{median:,.0f} ms", f"{ratio:.1f}"]
        if limit is None:
            cells += ["", ""]
        else:
            cells += [f"{limit:.1f}", "met" if ratio <= limit else "**not met**"]
            failed |= ratio > limit
        print(f"| {' | '.join(cells)} |")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
