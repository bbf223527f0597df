#!/usr/bin/env python3
"""Derives every value of identifiers.json anew, with Python's own uuid, int, float and datetime.

Prints what differs and exits with 1 if anything does. Needs Python 3.9 and nothing else.
"""

import base64
import json
import pathlib
import sys
import uuid
from datetime import datetime, timedelta

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
UNIX_EPOCH = datetime(1970, 1, 1)
GREGORIAN_EPOCH = datetime(1582, 10, 15)


def number_of(text):
    """The 128 bits of a ULID or a UUID."""
    if len(text) == 26:
        number = 0
        for character in text.upper():
            number = number << 5 | CROCKFORD.index(character)
        return number
    return uuid.UUID(text).int


def crockford(number):
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def iso(epoch, milliseconds):
    if milliseconds == 2**48 - 1:  # behind the year 9999, where datetime ends
        return "+10889-08-02T05:31:50.655Z"
    return (epoch + timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds") + "Z"


def time_of(kind, number):
    if kind in ("ulid", "uuidv7"):
        return iso(UNIX_EPOCH, number >> 80)
    if kind == "uuidv7-draft":
        return iso(UNIX_EPOCH, (number >> 92) * 1000 + (number >> 80 & 0xFFF))
    if kind == "uuidv1":
        return iso(GREGORIAN_EPOCH, uuid.UUID(int=number).time // 10_000)
    if kind == "uuidv6":
        return iso(GREGORIAN_EPOCH, (number >> 80 << 12 | number >> 64 & 0xFFF) // 10_000)
    return None


def forms_of(kind, number):
    text = crockford(number)
    as_bytes = number.to_bytes(16, "big")
    forms = {
        "text": text,
        "lower": text.lower(),
        "uuid": str(uuid.UUID(int=number)),
        "hex": "%032x" % number,
        "int": str(number),
        "bin": bin(number),
        "oct": oct(number),
        "float": repr(float(number)),
        "bytes": as_bytes.hex(" "),
        "base64url": base64.urlsafe_b64encode(as_bytes).decode().rstrip("="),
    }
    if time_of(kind, number) is not None:
        forms["time"] = time_of(kind, number)
    if kind in ("ulid", "uuidv7"):
        forms["time-text"] = text[:10]
        forms["randomness-text"] = text[10:]
    return forms


def fields_differ(number, fields):
    """Whether the fields are not all the bits in their order, with what stands in them."""
    first = 0
    for field in fields:
        begin, end = field["bits"]
        value = number >> (128 - end) & ((1 << (end - begin)) - 1)
        if begin != first or int(field["value"]) != value:
            return True
        first = end
    return first != 128


def main():
    vectors = json.loads((pathlib.Path(__file__).parent / "identifiers.json").read_text())
    wrong = 0
    for vector in vectors:
        number = number_of(vector["input"])
        kind = vector["readings"][0]
        differs = vector["forms"] != forms_of(kind, number) or vector["time"] != time_of(kind, number)
        if differs or ("fields" in vector and fields_differ(number, vector["fields"])):
            wrong += 1
            print("differs:", vector["name"])
    print(f"{len(vectors)} vectors, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
