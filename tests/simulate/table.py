"""How many runs each scheduler needs for the errors of tests/simulate: a table for
docs/PERFORMANCE.md, of medians over several seeds.  usage: table.py [SEEDS] > table.md"""

import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Program  # noqa: E402
import simulations  # noqa: E402

MOST = 50000


def runs(program, define, scheduler, seed):
    """Of one simulation; more than MOST if there was no error."""
    args = [*program.options, *([f"-D{define}"] if define else [])]
    found = simulations.report(simulations.simulate(
        "-j", "1", f"--scheduler={scheduler}", f"--seed={seed}", f"--runs={MOST}", "--max-time=60s",
        "--format=json", "--no-trace-file", *args, program.name))
    return found["sampled"]["runs"] if found["verdict"] == "error" else MOST + 1


def median(program, define, scheduler, seeds):
    middle = statistics.median_low(runs(program, define, scheduler, seed) for seed in seeds)
    return f"> {MOST}" if middle > MOST else str(middle)


def speed(scheduler):
    """Runs in a second, of three threads and 49 steps."""
    found = simulations.report(simulations.simulate(
        "-j", "1", f"--scheduler={scheduler}", "--runs=100000", "--format=json",
        "tests/simulate/speed/fifty.c"))
    return f"{found['sampled']['runs'] / found['seconds']:.0f}"


def main():
    seeds = range(1, int(sys.argv[1]) + 1 if len(sys.argv) > 1 else 6)
    print(f"| program | {' | '.join(simulations.SCHEDULERS)} |")
    print("|---" + "|---:" * len(simulations.SCHEDULERS) + "|")
    for path in sorted(simulations.HERE.glob("*.c")):
        program = Program(path)
        for define, _ in program.variants():
            name = path.stem + (f" -D{define}" if define else "")
            cells = [median(program, define, s, seeds) for s in simulations.SCHEDULERS]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print(f"| runs/s of speed/fifty | {' | '.join(map(speed, simulations.SCHEDULERS))} |")


main()
