"""Which kernels a running pegray spends its time in, by name: machine code that numba has made included.

python benchmarks/kernel_profile.py PID --seconds 20

Needs ``perf`` and ``gdb`` (Debian: linux-perf, gdb) and the right to look into the process. perf takes samples; gdb
knows the names of compiled kernels, which LLVM registers with it. What is inlined counts for the kernel it is in.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

SAMPLES_A_SECOND = 499  # so that nothing periodic hides between them
_NAME = re.compile(r"^(?P<name>.+?)(\[abi:.*)?( \+ \d+)? in section ")
_PACKAGE = "pegray::kernels::"


def main() -> None:
    """Read the command line, watch the process, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pid", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rows", type=int, default=25)
    arguments = parser.parse_args()
    if missing := [tool for tool in ("perf", "gdb") if shutil.which(tool) is None]:
        sys.exit(f"kernel_profile.py: error: {' and '.join(missing)} not found")
    samples = take_samples(arguments.pid, arguments.seconds)
    if not samples:
        sys.exit(f"kernel_profile.py: error: no sample of process {arguments.pid}: does it run, and is it yours?")
    names = names_of(arguments.pid, samples)
    if len(names) < len(samples):
        sys.exit(f"kernel_profile.py: error: gdb knows nothing of process {arguments.pid}: has it ended meanwhile?")
    shares = by_name(samples, names)
    table = Table("share", "where")
    for name, share in shares.most_common(arguments.rows):
        table.add_row(f"{share / samples.total():.1%}", name)
    Console().print(table)


def take_samples(pid: int, seconds: float) -> Counter[str]:
    """How often the process was found at each address (hexadecimal)."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "perf.data")
        record = ["perf", "record", "-e", "cpu-clock", "-F", str(SAMPLES_A_SECOND), "-p", str(pid), "-o", file]
        subprocess.run([*record, "--", "sleep", str(seconds)], capture_output=True, check=False)
        script = ["perf", "script", "-i", file, "-F", "ip"]
        return Counter(subprocess.run(script, capture_output=True, text=True, check=False).stdout.split())


def names_of(pid: int, addresses: Iterable[str]) -> list[str]:
    """What gdb says of each address."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as commands:
        commands.write("".join(f"info symbol 0x{address}\n" for address in addresses))
        commands.flush()
        asked = ["gdb", "-p", str(pid), "-batch", "-x", commands.name]
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return [line for line in said.splitlines() if " in section " in line or line.startswith("No symbol matches")]


def by_name(samples: Counter[str], said: Iterable[str]) -> Counter[str]:
    """Samples by function, from what gdb said of their addresses, in the same order."""
    shares: Counter[str] = Counter()
    for number, line in zip(samples.values(), said, strict=True):
        found = _NAME.match(line)
        shares[found["name"].removeprefix(_PACKAGE) if found else "(no name)"] += number
    return shares


if __name__ == "__main__":
    main()
