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


def ff1(key, digits, radix, decrypts=False):
    """FF1 of NIST SP 800-38G, algorithms 7 and 8, with an empty tweak, on a list of digits."""
    n = len(digits)
    u, v = n // 2, n - n // 2
    half_bytes = ((radix**v - 1).bit_length() + 7) // 8
    output_bytes = 4 * ((half_bytes + 3) // 4) + 4
    p = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, u % 256]) + n.to_bytes(4, "big") + bytes(4)

    def number(some):
        total = 0
        for digit in some:
            total = total * radix + digit
        return total

    def written(total, length):
        some = []
        for _ in range(length):
            total, digit = divmod(total, radix)
            some.insert(0, digit)
        return some

    def output(i, half):
        q = bytes((-half_bytes - 1) % 16) + bytes([i]) + number(half).to_bytes(half_bytes, "big")
        chained = bytes(16)
        for block in (p, q):
            chained = aes256(key, bytes(x ^ y for x, y in zip(chained, block)))
        assert output_bytes <= 16
        return int.from_bytes(chained[:output_bytes], "big")

    a, b = digits[:u], digits[u:]
    for i in range(9, -1, -1) if decrypts else range(10):
        m = u if i % 2 == 0 else v
        if decrypts:
            a, b = written((number(b) - output(i, a)) % radix**m, m), a
        else:
            a, b = b, written((number(a) + output(i, b)) % radix**m, m)
    return a + b


def check_ff1():
    """Sample 7 of NIST's examples of FF1, which has a key of 256 bits and no tweak."""
    key = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
    plain = [int(digit) for digit in "0123456789"]
    assert "".join(map(str, ff1(key, plain, 10))) == "6657667009"
    assert ff1(key, ff1(key, plain, 10), 10, True) == plain


def ff1_number(key, number, bits, decrypts=False):
    digits = [number >> shift & 1 for shift in range(bits - 1, -1, -1)]
    return int("".join(map(str, ff1(key, digits, 2, decrypts))), 2)


def key_of(vector):
    width = {"bigint": "64", "uuid": "128"}[vector["storage"]]
    shape = vector.get("shape", "long")
    info = "mintmark mask v1 %s %s" % (
        width if shape == "long" else shape + "-" + width,
        vector["key_label"],
    )
    return hkdf_sha256(bytes.fromhex(vector["secret"]), info.encode("ascii"))


def crockford(number, length):
    return "".join(CROCKFORD[number >> 5 * i & 31] for i in range(length - 1, -1, -1))


def short_face_of(vector):
    number = ff1_number(key_of(vector), int(vector["id"]) % 2**64, 64)
    return vector["mask"] + "_" + vector["key"] + crockford(number, 13)


def uuid_face_of(vector):
    if vector["storage"] == "bigint":
        block = int(vector["id"]) % 2**64 << 53
    else:
        bits = uuid.UUID(vector["id"]).int
        assert bits >> 76 & 15 == 7 and bits >> 123 == 0
        block = bits >> 80 << 74 | (bits >> 64 & 0xFFF) << 62 | bits & 2**62 - 1
    custom = CROCKFORD.index(vector["key"]) << 117 | ff1_number(key_of(vector), block, 117)
    high = custom >> 74 << 16 | 8 << 12 | custom >> 62 & 0xFFF
    return str(uuid.UUID(int=high << 64 | 2 << 62 | custom & 2**62 - 1))


def face_of(vector):
    if vector.get("shape") == "short":
        return short_face_of(vector)
    if vector.get("shape") == "uuid":
        return uuid_face_of(vector)
    if vector["storage"] == "bigint":
        block = int(vector["id"]).to_bytes(8, "big", signed=True) + bytes(8)
    else:
        block = uuid.UUID(vector["id"]).bytes
    number = int.from_bytes(aes256(key_of(vector), block), "big")
    digits = "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
    return "%s_%s%s" % (vector["mask"], vector["key"], digits)


def uuid_opens(vector):
    try:
        face = uuid.UUID(vector["face"])
    except ValueError:
        return False
    if str(face) != vector["face"].lower() or face.version != 8 or face.variant != uuid.RFC_4122:
        return False
    high, low = face.int >> 64, face.int & 2**62 - 1
    custom = high >> 16 << 74 | (high & 0xFFF) << 62 | low
    if CROCKFORD[custom >> 117] != vector["key"]:
        return False
    block = ff1_number(key_of(vector), custom & 2**117 - 1, 117, True)
    return vector["storage"] == "uuid" or block & 2**53 - 1 == 0


def opens(vector):
    """Whether a text is a face; its storage is bigint, of which not every block is one."""
    if vector.get("shape") == "uuid":
        return uuid_opens(vector)
    prefix = vector["mask"] + "_" + vector["key"]
    text = "".join(chr(ord(c) | 0x20) if "A" <= c <= "Z" else c for c in vector["face"])
    digits = text[len(prefix):]
    if vector.get("shape") == "short":  # nothing is sealed: any 64 bits are a face
        return (
            text.startswith(prefix)
            and len(digits) == 13
            and not set(digits) - set(CROCKFORD)
            and CROCKFORD.index(digits[0]) < 16
        )
    if not text.startswith(prefix) or len(digits) != 26 or set(digits) - set(CROCKFORD):
        return False
    number = 0
    for digit in digits:
        number = number << 5 | CROCKFORD.index(digit)
    if number >> 128:
        return False
    return aes256(key_of(vector), number.to_bytes(16, "big"), "-d")[8:] == bytes(8)


def main():
    check_ff1()
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
