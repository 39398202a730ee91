"""Writes the part of a form in which the visitor's browser does a proof of work."""
from __future__ import annotations

from html import escape
from typing import Mapping, Optional

from ._proof_script import PROOF_SCRIPT

#: Field of a form with the solved proof of work.
PROOF_FIELD = "gatehouse_proof"
#: Texts that the visitor reads, by name. ``%s``: the reference for your support.
PROOF_TEXTS = {
    "working": "Your browser is calculating. This can take some seconds.",
    "ready": "Your browser is ready. Please send the form again.",
    "insecure": "This check needs a secure connection: the address of this page must begin with https.",
    "no_script": "This form needs JavaScript for a short check. Turn it on and load the page again, or write to us. Reference: %s",
}


def proof_field(proof: str, reference: str, *, nonce: Optional[str] = None, texts: Mapping[str, str] = PROOF_TEXTS) -> str:
    """HTML that goes inside the form: a hidden field, and a script that fills it.

    ``proof`` and ``reference`` are those of the decision. ``nonce``: of your content policy, where it allows inline scripts by nonces.
    ``texts``: yours, with all names of ``PROOF_TEXTS``.
    """
    said = {name: escape(texts[name].replace("%s", reference)) for name in PROOF_TEXTS}
    allowed = "" if not nonce else f' nonce="{escape(nonce)}"'
    return (
        f'<div data-gatehouse-proof="{escape(proof)}" data-working="{said["working"]}" data-ready="{said["ready"]}"'
        f' data-insecure="{said["insecure"]}"><p role="status"></p><noscript><p>{said["no_script"]}</p></noscript>'
        f'<input type="hidden" name="{PROOF_FIELD}" value=""></div><script{allowed}>{PROOF_SCRIPT}</script>'
    )
