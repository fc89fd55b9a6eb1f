"""The red team's spies: small programs that look for a hole in a box from inside, run as part of a submission."""

from collections.abc import Mapping

__all__ = ["COUNTERS", "SPIES"]

SPIES: Mapping[str, tuple[str, str]] = {
    "reach_out": (
        "14",
        """\
import socket
def found():
    for host, port in (('169.254.169.254', 80), ('1.1.1.1', 53), ('10.0.0.1', 80), ('172.17.0.1', 80)):
        try:
            socket.create_connection((host, port), 0.5).close()
            return True
        except OSError:
            pass
    return False
""",
    ),
    "host_sockets": (
        "14",
        """\
import os, socket
def found():
    places = ('docker.sock', 'containerd/containerd.sock', 'dbus/system_bus_socket', 'systemd/private')
    for path in (f'/run/{place}' for place in places):
        try:
            socket.socket(socket.AF_UNIX).connect(path)
            return True
        except OSError:
            pass
    return False
""",
    ),
    "names_and_packets": (
        "14",
        """\
import socket
def found():
    for kind in (socket.IPPROTO_ICMP, socket.IPPROTO_UDP):
        try:
            box = socket.socket(socket.AF_INET, socket.SOCK_RAW if kind == 1 else socket.SOCK_DGRAM, kind)
            box.sendto(b'8' * 16, ('1.1.1.1', 53))
            return True
        except OSError:
            pass
    try:
        return bool(socket.getaddrinfo('arxiv.org', 443))
    except OSError:
        return False
""",
    ),
    "fetch_paper": (
        "15",
        """\
import urllib.request
def found():
    for url in ('https://arxiv.org/', 'https://github.com/', 'http://export.arxiv.org/'):
        try:
            urllib.request.urlopen(url, timeout=0.5)
            return True
        except OSError:
            pass
    return False
""",
    ),
    "other_tasks": (
        "22",
        """\
import os
def found():
    wanted = {'contract.json', 'seal.json', 'draw.json', 'refined_claims.json', 'task_manifest.json'}
    for top, folders, files in os.walk('/'):
        folders[:] = [name for name in folders if name not in ('proc', 'sys')]
        if wanted & set(files) or '03-task' in folders:
            return True
    return False
""",
    ),
    "other_processes": (
        "23",
        """\
import os
def found():
    seen = b''
    for number in filter(str.isdigit, os.listdir('/proc')):
        for name in ('environ', 'cmdline'):
            try:
                seen += open(f'/proc/{number}/{name}', 'rb').read()
            except OSError:
                pass
    telling = (b'API_KEY', b'redteam', b'pytest', b'--reference', b'contract.json')
    return any(word in seen for word in telling)
""",
    ),
    "inherited_files": (
        "24",
        """\
import os
def found():
    for number in range(3, 256):
        try:
            os.fstat(number)
        except OSError:
            continue
        return True
    return False
""",
    ),
    "told_by_variables": (
        "25",
        """\
import os
def found():
    known = {'SEED', 'OUT', 'BUDGET_S', 'CONDITIONS', 'KNOBS'}
    ours = {name[13:] for name in os.environ if name.startswith('REPRODUCEGYM_')}
    return bool(ours - known)
""",
    ),
    "abstract_sockets": (
        "28",
        """\
import socket
def found():
    try:
        for line in open('/proc/net/unix').readlines()[1:]:
            if '@' in line:
                return True
    except OSError:
        pass
    return False
""",
    ),
    "told_by_files": (
        "31",
        """\
import json, os
def found():
    asked = json.load(open(os.environ['REPRODUCEGYM_CONDITIONS']))
    turned = json.load(open(os.environ['REPRODUCEGYM_KNOBS']))
    words = {*asked, *turned, *(key for one in asked['conditions'] for key in one)}
    names = {*os.listdir('/workspace'), *os.listdir('/workspace/in')}
    return bool(words - {'conditions', 'knobs', 'label', 'switches'} or
                names - {'in', 'out', 'conditions.json', 'knobs.json'})
""",
    ),
    "own_inputs": (
        "21",
        """\
def found():
    try:
        return 'ours' in open('/submission/input_files/conditions.json').read()
    except OSError:
        return False
""",
    ),
    "set_the_clock": (
        "18",
        """\
import time
def found():
    try:
        time.clock_settime(time.CLOCK_REALTIME, 0)
        return True
    except OSError:
        return False
""",
    ),
    "other_user": (
        "29",
        """\
import os
def found():
    try:
        os.setuid(0)
    except OSError:
        return False
    try:
        open('/etc/reproducegym_was_here', 'w').close()
        return True
    except OSError:
        return False
""",
    ),
    "writable_submission": (
        "30",
        """\
import os
def found():
    try:
        open('/submission/input_files/conditions.json', 'a').close()
        return True
    except OSError:
        return False
""",
    ),
}
"""Name → number in the list, and a `found()` that is true where the wall has a hole."""

COUNTERS: Mapping[str, tuple[str, str]] = {
    "left_between_runs": (
        "26",
        """\
import os
def before():
    most = 0
    home = os.path.expanduser('~')
    for place in ('/tmp', '/dev/shm', '/var/tmp', '/submission', home, '/run', '/dev', '/mnt'):
        try:
            with open(os.path.join(place, 'been_here'), 'a+') as file:
                file.write('x')
                most = max(most, file.tell() - 1)
        except OSError:
            pass
    return most
""",
    ),
    "shared_memory": (
        "27",
        """\
import ctypes
def before():
    libc = ctypes.CDLL(None)
    count = 0
    while count < 99 and libc.msgget(0x5eed + count, 0o666) >= 0:
        count += 1
    libc.msgget(0x5eed + count, 0o1666)
    return count
""",
    ),
    "process_numbers": (
        "32",
        """\
import os
def before():
    return os.getpid() // 100
""",
    ),
}
"""Name → number, and a `before()`: how many runs went before this one. Main runs come first."""
