"""Whose a training is: the browser's that began it, by a cookie whose digest the run keeps. Who has a link may look, as ever."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import Depends, Request, Response

from ...model.errors import GlassformerError
from ...model.training.run_folder import RunFolder
from ..guard.access import is_teacher
from ..guard.cookies import OWNER_COOKIE, cookies_of
from ..state import Needs

KEPT_SECONDS = 365 * 24 * 3600
_TOKEN = re.compile(r"[0-9a-f]{32}")


class NotYoursError(GlassformerError):
    """Somebody else's training: one may look at it, not steer it."""

    code: ClassVar[str] = "not_yours"


class SwitchedOffError(GlassformerError):
    """Something that this server does not do for visitors."""

    code: ClassVar[str] = "switched_off"


@dataclass(frozen=True)
class Asker:
    """Who asks: the digest of their cookie ("" without one), the teacher or not, and a cookie they should get.

    `everything` may be steered where trainings have no owners, and by a teacher.
    """

    owner: str = ""
    teacher: bool = False
    everything: bool = False
    fresh: str = ""

    def sees(self, owner: str) -> bool:
        """Say whether an owner's runs stand in this one's lists: their own do, and those of nobody."""
        return self.everything or owner in ("", self.owner)

    def may(self, run: RunFolder) -> bool:
        """Say whether this one may steer a run."""
        return self.everything or (run.owner != "" and run.owner == self.owner)

    def check(self, run: RunFolder) -> None:
        """Raise NotYoursError unless this one may steer a run."""
        if not self.may(run):
            raise NotYoursError(f"{run.id} was begun in another browser; only there can it be changed", where="run")

    def check_on(self, switched_on: bool, what: str) -> None:
        """Raise SwitchedOffError for what is switched off, but for a teacher."""
        if not switched_on and not self.teacher:
            raise SwitchedOffError(f"this server {what}; on a machine of your own, Glassformer does")

    def keep(self, answer: Response) -> Response:
        """Give the browser its cookie with an answer, where it has none yet; no script can read it, no other site send it."""
        if self.fresh:
            answer.set_cookie(OWNER_COOKIE, self.fresh, max_age=KEPT_SECONDS, httponly=True, samesite="strict", path="/")
        return answer


async def asker(request: Request, state: Needs) -> Asker:
    """Say who asks. Who begins something without a cookie gets one."""
    if (teacher := is_teacher(request.scope, state.settings)) or not state.settings.owners:
        return Asker(teacher=teacher, everything=True)
    token = next((given for given in cookies_of(request.scope, OWNER_COOKIE) if _TOKEN.fullmatch(given)), "")
    fresh = secrets.token_hex(16) if request.method == "POST" and not token else ""
    token = fresh or token
    owner = hashlib.sha256(token.encode()).hexdigest() if token else ""
    return Asker(owner, fresh=fresh)


Asks = Annotated[Asker, Depends(asker)]
