#!/usr/bin/env python3
"""Derives every value of the vectors anew, with Python's own uuid, int, float and datetime.

Prints what differs and exits with 1 if anything does. Needs Python 3.9 and nothing else.
"""

import base64
import json
import pathlib
import sys
import uuid
from datetime import datetime, timedelta

HEX = "0123456789abcdef"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE32HEX = "0123456789abcdefghijklmnopqrstuv"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

SORTABLE32 = "234567abcdefghijklmnopqrstuvwxyz"
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
PUSH = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
DECIMAL = "0123456789"

UNIX = datetime(1970, 1, 1)
GREGORIAN = datetime(1582, 10, 15)
TEN_MILLIS = timedelta(milliseconds=10)
MILLI = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)

# Of each kind of identifier that is not 128 bits wide: its bits, how far the time is from the
# lowest of them, what one of the time is, and what it is counted from.
LAYOUTS = {
    "mask": (135, 135, None, None),
    "objectid": (96, 64, SECOND, UNIX),
    "xid": (96, 64, SECOND, UNIX),
    "ksuid": (160, 128, SECOND, datetime(2014, 5, 13, 16, 53, 20)),
    "tsid": (64, 22, MILLI, datetime(2020, 1, 1)),
    "snowflake-twitter": (64, 22, MILLI, datetime(2010, 11, 4, 1, 42, 54, 657000)),
    "snowflake-discord": (64, 22, MILLI, datetime(2015, 1, 1)),
    "snowflake-instagram": (64, 23, MILLI, datetime(2011, 8, 24, 21, 7, 1, 721000)),
    "snowflake-sony": (64, 24, TEN_MILLIS, datetime(2014, 9, 1)),
    "unix-seconds": (40, 0, SECOND, UNIX),
    "unix-millis": (48, 0, MILLI, UNIX),
    "unix-micros": (56, 0, MILLI / 1000, UNIX),
    "unix-nanos": (64, 0, None, UNIX),
    "sequence": (64, 64, None, None),
}

# Of each kind of formats.json with a time that the other files do not have: the digits that have the
# time, their alphabet, how far the time is from the lowest bit, what one of it is, and its epoch.
TIMES = {
    "atproto-tid": (slice(None), SORTABLE32, 10, MILLI / 1000, UNIX),
    "cuid": (slice(1, 9), BASE36, 0, MILLI, UNIX),
    "firebase-push-id": (slice(0, 8), PUSH, 0, MILLI, UNIX),
    "scru128": (slice(None), BASE36, 80, MILLI, UNIX),
    "scru64": (slice(None), BASE36, 24, 256 * MILLI, UNIX),
    "timeflake": (slice(None), BASE62, 80, MILLI, UNIX),
    "flake": (slice(None), BASE62, 64, MILLI, UNIX),
    "upid": (slice(5, 13), SORTABLE32, 0, 256 * MILLI, UNIX),
    "orderlyid": (slice(-32, None), CROCKFORD.lower(), 112, MILLI, datetime(2020, 1, 1)),
    "datadog-trace": (slice(0, 8), HEX, 0, SECOND, UNIX),
    "nano64": (slice(0, 11), HEX.upper(), 0, MILLI, UNIX),
    "puid": (slice(0, 8), BASE36, 0, MILLI, UNIX),
    "short-puid": (slice(0, 12), BASE36, 0, MILLI / 1000, UNIX),
    "instagram-shortcode": (slice(None), BASE64URL, 23, MILLI, datetime(2011, 8, 24, 21, 7, 1, 721000)),
    "snowid": (slice(None), BASE62, 22, MILLI, datetime(2024, 1, 1)),
    "snowflake-1970": (slice(None), DECIMAL, 22, MILLI, UNIX),
    "snowflake-mastodon": (slice(None), DECIMAL, 16, MILLI, UNIX),
    "frostflake": (slice(None), DECIMAL, 32, SECOND, UNIX),
    "simpleflake": (slice(None), DECIMAL, 23, MILLI, datetime(2000, 1, 1)),
}


def digits(text, alphabet):
    number = 0
    for character in text:
        number = number * len(alphabet) + alphabet.index(character)
    return number


def width_of(kind):
    return LAYOUTS[kind][0] if kind in LAYOUTS else 128


def number_of(kind, text):
    """The identifier as a number, read as its kind is written."""
    if kind == "objectid":
        return digits(text.lower(), HEX)
    if kind == "ksuid":
        return digits(text, BASE62)
    if kind == "mask":
        return digits(text.upper(), CROCKFORD)
    if kind == "xid":
        return digits(text, BASE32HEX) >> 4
    if kind == "tsid" and len(text) == 13:
        return digits(text.upper(), CROCKFORD)
    if text.isdigit() and len(text) not in (26, 32):
        return int(text)
    if len(text) in (13, 26):
        return digits(text.upper(), CROCKFORD)
    if len(text) == 22:
        return int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")
    return uuid.UUID(text).int


def crockford(number):
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def iso(epoch, since):
    if since == (2**48 - 1) * MILLI:  # behind the year 9999, where datetime ends
        return "+10889-08-02T05:31:50.655Z"
    return (epoch + since).isoformat(timespec="milliseconds") + "Z"


def time_of(kind, number):
    if kind == "unix-nanos":
        return iso(UNIX, number // 1_000_000 * MILLI)
    if kind in LAYOUTS:
        _, shift, tick, epoch = LAYOUTS[kind]
        return None if tick is None else iso(epoch, (number >> shift) * tick)
    if kind in ("ulid", "uuidv7") or (kind == "typeid" and uuid.UUID(int=number).version == 7):
        return iso(UNIX, (number >> 80) * MILLI)
    if kind == "uuidv7-draft":
        return iso(UNIX, (number >> 92) * SECOND + (number >> 80 & 0xFFF) * MILLI)
    if kind == "uuidv1":
        return iso(GREGORIAN, uuid.UUID(int=number).time // 10_000 * MILLI)
    if kind == "uuidv6":
        return iso(GREGORIAN, (number >> 80 << 12 | number >> 64 & 0xFFF) // 10_000 * MILLI)
    return None


def forms_of(kind, number):
    """The forms of the identifier: of one that has not 128 bits those that know no width."""
    if width_of(kind) % 8 != 0:
        return {}
    as_bytes = number.to_bytes(width_of(kind) // 8, "big")
    time = time_of(kind, number)
    forms = {"hex": as_bytes.hex(), "int": str(number), "bytes": as_bytes.hex(" ")}
    if time is not None:
        forms["time"] = time
    if width_of(kind) != 128:
        return forms
    text = crockford(number)
    forms["text"] = text
    forms["lower"] = text.lower()
    forms["uuid"] = str(uuid.UUID(int=number))
    forms["bin"] = bin(number)
    forms["oct"] = oct(number)
    forms["float"] = repr(float(number))
    forms.update(parts_of(uuid.UUID(int=number)))
    forms["base64url"] = base64.urlsafe_b64encode(as_bytes).decode().rstrip("=")
    if kind in ("ulid", "uuidv7", "typeid") and time is not None:
        forms["time-text"] = text[:10]
        forms["randomness-text"] = text[10:]
    return forms


def parts_of(of):
    """The fields by their names in RFC 4122, as Python's uuid has them."""
    return {
        "time-low": str(of.time_low),
        "time-mid": str(of.time_mid),
        "time-hi-version": str(of.time_hi_version),
        "clock-seq": str(of.clock_seq),
        "clock-seq-hi-variant": str(of.clock_seq_hi_variant),
        "clock-seq-low": str(of.clock_seq_low),
        "node": str(of.node),
        "fields": " ".join(str(field) for field in of.fields),
    }


def characters_of(kind, text, begin, end):
    """The first character that holds some of the bits, and the one behind the last."""
    if kind == "ksuid" or (text.isdigit() and len(text) not in (24, 26, 32)):
        return [0, len(text)]  # every digit depends on every bit
    if len(text) in (32, 36, 38, 45):
        place = [at for at, character in enumerate(text) if character.lower() in HEX]
        place = place[-32:]  # urn:uuid: has a d of its own
        return [place[begin // 4], place[(end - 1) // 4] + 1]
    bits = {13: 5, 20: 5, 22: 6, 24: 4, 26: 5, 27: 5}[len(text)]
    before = {13: 1, 26: 2}.get(len(text), 0)  # bits that are missing in the first character
    return [(begin + before) // bits, (end - 1 + before) // bits + 1]


def fields_differ(kind, number, prefix, text, fields):
    """Whether the fields are not all the bits in their order, with what stands in them."""
    width = width_of(kind)
    first = 0
    for field in fields:
        begin, end = field["bits"]
        value = number >> (width - end) & ((1 << (end - begin)) - 1)
        if begin != first or int(field["value"]) != value:
            return True
        characters = [len(prefix) + at for at in characters_of(kind, text, begin, end)]
        if field["text"] != characters:
            return True
        first = end
    return first != width


def differs(vector):
    kind = vector["readings"][0]
    prefix = vector.get("prefix", "")
    text = vector["input"][len(prefix) :]
    if kind == "prefixed":
        ends = [0, len(prefix), len(vector["input"])]
        return [field["text"] for field in vector["fields"]] != [ends[:2], ends[1:]]
    number = number_of(kind, text)
    if "fields" in vector and fields_differ(kind, number, prefix, text, vector["fields"]):
        return True
    return vector["forms"] != forms_of(kind, number) or vector["time"] != time_of(kind, number)


def timed_differs(vector):
    """Whether the bytes or the time of a TSID, KSUID, ObjectId or Xid differ."""
    kind = vector["kind"]
    number = number_of(kind, vector["input"])
    as_bytes = number.to_bytes(width_of(kind) // 8, "big").hex()
    return vector["bytes"] != as_bytes or vector["time"] != time_of(kind, number)


def time_of_format(vector):
    """The time of an identifier of formats.json; None without one."""
    kind, text = vector["kind"], vector["input"]
    if kind in TIMES:
        place, alphabet, shift, tick, epoch = TIMES[kind]
        number = uuid.UUID(text).int if len(text) == 36 else digits(text[place], alphabet)
        if kind == "short-puid":
            number //= 1000  # of nanoseconds
        return iso(epoch, (number >> shift) * tick)
    if kind in ("uuidv1", "uuidv6", "uuidv7", "uuidv7-draft", "ulid", "typeid", "unix-nanos") or (
        kind in LAYOUTS and LAYOUTS[kind][2]
    ):
        number = digits(text, HEX) if len(text) == 40 else number_of(kind, text.split("_")[-1])
        return time_of(kind, number)
    return None


def main():
    here = pathlib.Path(__file__).parent
    vectors = json.loads((here / "identifiers.json").read_text())
    wrong = [vector["name"] for vector in vectors if differs(vector)]
    rankings = json.loads((here / "ranking.json").read_text())
    for ranking in rankings:
        for reading in ranking["readings"]:
            kind = reading["kind"]
            text = ranking["input"][len(ranking.get("prefix", "")) :]
            number = 0 if kind == "sequence" else number_of(kind, text)
            if reading["time"] != time_of(kind, number):
                wrong.append(ranking["name"] + ": " + kind)
    timed = json.loads((here / "timed.json").read_text())
    wrong += [each["name"] for each in timed if "reason" not in each and timed_differs(each)]
    formats = json.loads((here / "formats.json").read_text())
    wrong += [each["format"] for each in formats if each["time"] != time_of_format(each)]
    for name in wrong:
        print("differs:", name)
    print(f"{len(vectors)} vectors, {len(rankings)} rankings, {len(timed)} of timed.json, {len(formats)} formats, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
