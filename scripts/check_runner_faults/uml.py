"""Runs the check on a machine whose clock it may set: a kernel in user mode, which sees the files of this one."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

# Where the check runs on such a machine.
INSIDE = "uml"
INIT = """#!/bin/bash
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TMPDIR=/mnt %(inside)s
mount -t proc proc /proc && mount -t tmpfs -o mode=700 tmpfs /mnt
cd %(folder)s
%(command)s > %(out)s 2>&1
echo $? > %(code)s
sync
/sbin/halt -f || echo o > /proc/sysrq-trigger
sleep 10
"""


def run(variable, arguments, minutes):
    """Runs the check with these arguments there, with that variable in its environment. Gives its exit code."""
    kernel = shutil.which("linux.uml")
    if not kernel:
        sys.exit("--clock: there is no linux.uml in PATH; install user-mode-linux")
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        init, out, code = directory / "init", directory / "out", directory / "code"
        command = shlex.join([os.path.realpath(sys.executable), os.path.dirname(os.path.abspath(__file__)), *arguments])
        paths = {"folder": os.getcwd(), "out": out, "code": code}
        init.write_text(INIT % {"inside": f"{variable}={INSIDE}", "command": command, **{k: shlex.quote(str(v)) for k, v in paths.items()}})
        init.chmod(0o755)
        line = [kernel, "mem=1024M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw", f"init={init}", "con=null"]
        with open(directory / "kernel", "w") as messages:
            machine = subprocess.Popen(line, env={**os.environ, "HOME": name, "TMPDIR": name}, stdin=subprocess.DEVNULL,
                                       stdout=messages, stderr=messages, start_new_session=True)
            try:
                machine.wait(60 * minutes + 900)
            except subprocess.TimeoutExpired:
                print("the machine did not end", file=sys.stderr)
            finally:
                if machine.poll() is None:
                    os.killpg(machine.pid, 9)
        print(out.read_text() if out.exists() else (directory / "kernel").read_text(), end="")
        return int(code.read_text()) if code.exists() else 1
