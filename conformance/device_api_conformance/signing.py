# SPDX-License-Identifier: Apache-2.0
"""Signatures of certificates: Ed25519 (RFC 8032), through the package cryptography."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class BadKey(ValueError):
    """A key or a signature that cannot be used: why."""


def sign(data: bytes, key: Path) -> str:
    """A signature of `data` by the private key in a PEM file (PKCS 8, without password).

    Raises:
        BadKey: the file cannot be read, or holds no Ed25519 key.
    """
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{key}: {error}") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise BadKey(f"{key} holds no Ed25519 key (openssl genpkey -algorithm ed25519)")
    public = _raw(private.public_key())
    return json.dumps({
        "algorithm": "Ed25519",
        "public_key": base64.b64encode(public).decode(),
        "signature": base64.b64encode(private.sign(data)).decode(),
    }, indent=1)  # fmt: skip


def check(data: bytes, text: str) -> str:
    """The fingerprint of the key that signed `data`.

    Raises:
        BadKey: the signature is damaged, or is not one of this data.
    """
    try:
        told: dict[str, Any] = json.loads(text)
        if told["algorithm"] != "Ed25519":
            raise BadKey(f"signed by {told['algorithm']}, which is not known")
        public = base64.b64decode(told["public_key"], validate=True)
        signature = base64.b64decode(told["signature"], validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except InvalidSignature as error:
        raise BadKey("the signature is not one of this manifest") from error
    except (KeyError, TypeError, ValueError) as error:
        raise BadKey(f"the signature is damaged: {error}") from error
    return fingerprint(public)


def fingerprint(public: bytes) -> str:
    """SHA-256 of a raw public key, in hex."""
    return hashlib.sha256(public).hexdigest()


def public_fingerprint(key: Path) -> str:
    """The fingerprint of the public key in a PEM file.

    Raises:
        BadKey: the file cannot be read, or holds no public Ed25519 key.
    """
    try:
        public = serialization.load_pem_public_key(key.read_bytes())
    except (OSError, ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{key}: {error}") from error
    if not isinstance(public, Ed25519PublicKey):
        raise BadKey(f"{key} holds no public Ed25519 key")
    return fingerprint(_raw(public))


def _raw(public: Ed25519PublicKey) -> bytes:
    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
