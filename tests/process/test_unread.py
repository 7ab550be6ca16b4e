"""What a server's memory grows by while forty clients do not read what they asked for."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
from observing_processes import ask
from serving import running

MIB = 2**20
MANY = 40
WIDE = {"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"d_model": 512, "d_ff": 2048}}
NAME = "encoder.layers.0.feed_forward.w_1"
EACH = 4


def resident(pid: int) -> float:
    """Mebibytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / MIB


@pytest.mark.parametrize(("most", "bounded"), [(32, True), (4096, False)])
def test_answers_that_nobody_reads_do_not_fill_memory(tmp_path: Path, most: int, bounded: bool) -> None:
    """The second has as good as no limit: then there are forty times four megabytes of them."""
    with (
        running("--set", f"sending_bytes={most * MIB}", "--set", "answer_bytes=0", folder=tmp_path) as server,
        ExitStack() as stack,
    ):
        at = f"/api/traces/{json.loads(ask(server.address, '/api/traces', WIDE)[1])['id']}/tensors/{NAME}"
        assert ask(server.address, at)[0] == 200
        before = resident(server.pid)
        begun = []
        for i in range(MANY):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(30)
            client.connect(("127.0.0.1", server.port))
            client.sendall(f"GET {at}?index=in:{i}-512 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            begun.append(client.recv(12).split()[1])
        assert set(begun) == ({b"200", b"503"} if bounded else {b"200"})
        more = resident(server.pid) - before
        assert more < 40 if bounded else more > MANY * EACH / 2
