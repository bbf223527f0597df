#!/usr/bin/env python3
"""Derives every face of masks.json anew, with Python's own hmac and the AES of the openssl command.

Prints what differs and exits with 1 if anything does. Needs Python 3.9 and openssl.
"""

import hashlib
import hmac
import json
import pathlib
import subprocess
import sys
import uuid

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


def hkdf_sha256(secret, info):
    """32 bytes of RFC 5869 without a salt: its expansion then is one HMAC."""
    extracted = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def aes256(key, block, *direction):
    command = ["openssl", "enc", "-aes-256-ecb", "-nopad", "-K", key.hex(), *direction]
    return subprocess.run(command, input=block, stdout=subprocess.PIPE, check=True).stdout


def key_of(vector):
    width = {"bigint": 64, "uuid": 128}[vector["storage"]]
    info = "mintmark mask v1 %d %s" % (width, vector["key_label"])
    return hkdf_sha256(bytes.fromhex(vector["secret"]), info.encode("ascii"))


def face_of(vector):
    if vector["storage"] == "bigint":
        block = int(vector["id"]).to_bytes(8, "big", signed=True) + bytes(8)
    else:
        block = uuid.UUID(vector["id"]).bytes
    number = int.from_bytes(aes256(key_of(vector), block), "big")
    digits = "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
    return "%s_%s%s" % (vector["mask"], vector["key"], digits)


def opens(vector):
    """Whether a text is a face; its storage is bigint, of which not every block is one."""
    prefix = vector["mask"] + "_" + vector["key"]
    text = "".join(chr(ord(c) | 0x20) if "A" <= c <= "Z" else c for c in vector["face"])
    digits = text[len(prefix):]
    if not text.startswith(prefix) or len(digits) != 26 or set(digits) - set(CROCKFORD):
        return False
    number = 0
    for digit in digits:
        number = number << 5 | CROCKFORD.index(digit)
    if number >> 128:
        return False
    return aes256(key_of(vector), number.to_bytes(16, "big"), "-d")[8:] == bytes(8)


def main():
    vectors = json.loads((pathlib.Path(__file__).parent / "masks.json").read_text())
    wrong = 0
    for vector in vectors:
        if opens(vector) if "reason" in vector else vector["face"] != face_of(vector):
            wrong += 1
            print("differs:", vector["name"])
    print(f"{len(vectors)} vectors, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
