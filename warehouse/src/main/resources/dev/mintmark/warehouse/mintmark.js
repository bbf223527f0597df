// The bodies of the functions in BigQuery and Snowflake: ulidText is the body of ulid_text. Functions cannot share code in these
// engines, so each function is printed with the definitions of this file that it uses. Parameters and results are text, because
// neither engine passes 64-bit numbers to JavaScript; SQL around the bodies converts them. The language is ECMAScript 2015. Some
// characters are not allowed, because tools read them as syntax: no ampersand (templates of the snow command), no two dollars and
// no three double quotes in a row (the quotes around a body). One empty line separates definitions; a definition contains none.

/** The digits of Crockford's base 32. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A UUID of 36 characters. */
const UUID = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/** A ULID of 26 digits; the first digit has three bits. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/** A TypeID: a prefix of any length or no prefix, and 26 digits. */
const TYPEID = /^(?:([a-z](?:[a-z_]*[a-z])?)_)?([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** A number after a prefix: a prefix of any length that does not end with a digit, or no prefix, and the digits. */
const NUMBERED = /^((?:[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z_-])?)?)([0-9]+)$/;

/** Characters that are escaped in messages: control and format characters and lone surrogates. Also whole surrogate pairs. */
const UNPRINTABLE = /[\ud800-\udbff][\udc00-\udfff]|[\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb]/g;

/** Quotes a text for a message, truncated to 64 characters. */
function quoted(text) {
  const shown = text
    .slice(0, 64)
    .replace(/["\\]/g, (c) => "\\" + c)
    .replace(UNPRINTABLE, (c) =>
      c.length === 2 ? c : "\\u" + (c.charCodeAt(0) + 0x10000).toString(16).slice(1));
  return '"' + shown + '"' + (text.length > 64 ? "... (" + text.length + " characters)" : "");
}

/** Returns a number of characters in words. */
function characters(count) {
  return count === 1 ? "1 character" : count + " characters";
}

function malformed(what, text, why) {
  return new Error("malformed " + what + " " + quoted(text) + ": " + why);
}

/** Names the character at an index, counted from 0, in a message. */
function character(text, i) {
  const c = quoted(String.fromCodePoint(text.codePointAt(i)));
  return "character " + i + ", '" + c.slice(1, -1) + "',";
}

/** Returns the error for 26 digits of base 32 that cannot be read. */
function malformedDigits(what, text, digits, expected) {
  const from = text.length - 26;
  for (let i = from; i < text.length; i++) {
    if (!digits.test(text[i])) {
      return malformed(what, text, character(text, i) + " is not " + expected);
    }
  }
  return malformed(what, text, character(text, from) + " is above 7: it exceeds 128 bits");
}

/** Returns the 32 hexadecimal digits of a UUID, in unchanged letter case. */
function hexOfUuid(text) {
  if (UUID.test(text)) {
    return text.replace(/-/g, "");
  }
  if (text.length !== 36) {
    throw malformed("UUID", text, "it has " + characters(text.length) + ": expected 36");
  }
  for (let i = 0; ; i++) {
    const isHyphen = i === 8 || i === 13 || i === 18 || i === 23;
    if (isHyphen ? text[i] !== "-" : !/[0-9A-Fa-f]/.test(text[i])) {
      const expected = isHyphen ? "'-'" : "a hexadecimal digit";
      throw malformed("UUID", text, character(text, i) + " is not " + expected);
    }
  }
}

/** Returns the UUID of 32 hexadecimal digits. */
function uuidOfHex(hex) {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Converts 32 hexadecimal digits to 26 digits of base 32: with leading zeros, 35 to 28, five to four at a time. */
function base32OfHex(hex) {
  const padded = "000" + hex;
  let text = "";
  for (let i = 0; i < 35; i += 5) {
    const bits = parseInt(padded.slice(i, i + 5), 16);
    for (let unit = 32768; unit >= 1; unit /= 32) {
      text += DIGITS[Math.floor(bits / unit) % 32];
    }
  }
  return text.slice(2);
}

/** Converts 26 digits of base 32 to 32 hexadecimal digits: with leading zeros, 28 to 35, four to five at a time. */
function hexOfBase32(text) {
  const padded = "00" + text.toUpperCase();
  let hex = "";
  for (let i = 0; i < 28; i += 4) {
    let bits = 1;
    for (let j = i; j < i + 4; j++) {
      bits = 32 * bits + DIGITS.indexOf(padded[j]);
    }
    hex += bits.toString(16).slice(1);
  }
  return hex.slice(3);
}

function ulidText(id) {
  return base32OfHex(hexOfUuid(id));
}

function ulidUuid(value) {
  if (ULID.test(value)) {
    return uuidOfHex(hexOfBase32(value));
  }
  if (value.length !== 26) {
    throw malformed("ULID", value, "it has " + characters(value.length) + ": expected 26");
  }
  throw malformedDigits("ULID", value, /[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]/, "Crockford base 32");
}

/** Returns a time in milliseconds in the format of Java. */
function timeOfMillis(millis) {
  return new Date(millis).toISOString().replace(/^\+0/, "+");
}

/** Returns the milliseconds since 1970 in decimal digits. Fails for a time after the last timestamp of the engine. */
function ulidTime(id) {
  const millis = parseInt(hexOfUuid(id).slice(0, 12), 16);
  if (millis > 253402300799999) {
    throw new Error(
      "time " + timeOfMillis(millis) + " of " + quoted(id) + ": expected at most 9999-12-31T23:59:59.999Z");
  }
  return String(millis);
}

/** Returns the first 12 hexadecimal digits of the identifiers of a millisecond. */
function hexOfMillis(text) {
  const millis = Number(text);
  if (millis < 0 || millis > 281474976710655) {
    throw new Error(
      "time " + timeOfMillis(millis) + ": expected 1970-01-01T00:00:00.000Z to +10889-08-02T05:31:50.655Z");
  }
  return ("00000000000" + millis.toString(16)).slice(-12);
}

function ulidMin(moment) {
  return uuidOfHex(hexOfMillis(moment) + "0".repeat(20));
}

function ulidMax(moment) {
  return uuidOfHex(hexOfMillis(moment) + "f".repeat(20));
}

/** Returns whether a number in decimal digits exceeds a signed 64-bit integer. */
function exceedsBigint(digits) {
  const padded = ("0".repeat(19) + digits).slice(-19);
  return padded > "9223372036854775807" || /[1-9]/.test(digits.slice(0, -19));
}

/** Returns a number without zeros at the end of its fraction, which Snowflake writes. */
function withoutZeros(number) {
  return /[.]/.test(number) ? number.replace(/[.]?0*$/, "") : number;
}

function prefixed(prefix, number, width) {
  const parts = NUMBERED.exec(prefix + "0");
  if (parts === null || parts[1] !== prefix || prefix.length > 16) {
    throw new Error(
      "malformed prefix " +
        quoted(prefix) +
        ": expected at most 16 of A-Z, a-z, 0-9, '-' and '_', the first a letter and the last not a digit");
  }
  const padding = withoutZeros(width);
  if (!/^[0-9]+$/.test(padding) || Number(padding) > 18) {
    throw new Error("width " + padding + ": expected 0 to 18 digits");
  }
  const digits = withoutZeros(number);
  if (!/^[0-9]+$/.test(digits) || exceedsBigint(digits)) {
    throw new Error("number " + digits + ": expected 0 to 9223372036854775807");
  }
  return prefix + "0".repeat(Math.max(0, Number(padding) - digits.length)) + digits;
}

function unprefixed(prefix, value) {
  const digits = value.slice(prefix.length);
  if (!value.startsWith(prefix) || !/^[0-9]{1,19}$/.test(digits) || exceedsBigint(digits)) {
    throw malformed(
      "sequence id",
      value,
      "expected " + quoted(prefix) + " and 1 to 19 digits, at most 9223372036854775807");
  }
  return digits.replace(/^0+(?=[0-9])/, "");
}

/** Returns whether a text is a TypeID: at most 63 characters, an underscore and 26 digits. */
function isTypeid(text) {
  return TYPEID.test(text) ? text.length <= 90 : false;
}

function typeidText(prefix, id) {
  const digits = base32OfHex(hexOfUuid(id)).toLowerCase();
  const text = prefix === "" ? digits : prefix + "_" + digits;
  if (!isTypeid(text)) {
    throw new Error(
      "malformed prefix " + quoted(prefix) + ": expected at most 63 of a-z and '_', the first and the last a letter");
  }
  return text;
}

/** Returns the error for a text that is not a TypeID. Checks the prefix first; it ends at the last underscore, which is not a digit. */
function malformedTypeid(text) {
  const end = text.lastIndexOf("_");
  const wrong = text.slice(0, Math.max(end, 0)).search(/[^a-z_]/);
  if (end === 0) {
    return malformed("TypeID", text, "it starts with '_': without a prefix there is no separator");
  }
  if (end > 63) {
    return malformed("TypeID", text, "its prefix has " + end + " characters: expected at most 63");
  }
  if (wrong >= 0) {
    return malformed("TypeID", text, character(text, wrong) + " is not a-z or '_', as in a prefix");
  }
  if (end > 0 ? text[0] === "_" : false) {
    return malformed("TypeID", text, "its prefix starts with '_'");
  }
  if (end > 0 ? text[end - 1] === "_" : false) {
    return malformed("TypeID", text, "its prefix ends with '_'");
  }
  const length = text.length - end - 1;
  if (length !== 26) {
    const where = end < 0 ? "" : " after the prefix";
    return malformed("TypeID", text, "it has " + characters(length) + where + ": expected 26");
  }
  return malformedDigits("TypeID", text, /[0-9a-hjkmnp-tv-z]/, "Crockford base 32 in lower case");
}

function typeidUuid(value) {
  if (!isTypeid(value)) {
    throw malformedTypeid(value);
  }
  return uuidOfHex(hexOfBase32(value.slice(-26)));
}

function idPrefix(value) {
  if (isTypeid(value)) {
    return value.slice(0, -27);
  }
  const parts = NUMBERED.exec(value);
  if (parts === null || parts[1].length > 16 || parts[2].length > 19 || exceedsBigint(parts[2])) {
    throw malformed("id", value, "expected a TypeID, or 1 to 19 digits after a prefix");
  }
  return parts[1];
}

/** Fails if a text is longer than a pURI may be. */
function checkPuriLength(text) {
  if (text.length > 1024) {
    throw malformed("pURI", text, "it has " + text.length + " characters: expected at most 1024");
  }
}

/** Percent-encodes every character that is not unreserved in RFC 3986. encodeURIComponent leaves some of them unchanged. */
function puriSegment(name, text) {
  if (text === "") {
    throw new Error("malformed pURI: its " + name + " is empty");
  }
  checkPuriLength(text);
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
}

function puri(namespace, collection, identifier) {
  const text = [
    puriSegment("namespace", namespace),
    puriSegment("collection", collection),
    puriSegment("identifier", identifier),
  ].join(":");
  checkPuriLength(text);
  return text;
}

/** Returns the three segments of a pURI, decoded. */
function puriSegments(text) {
  checkPuriLength(text);
  const segments = text.split(":");
  if (segments.length !== 3) {
    throw malformed(
      "pURI", text, "it has " + segments.length + " segments: expected namespace:collection:identifier");
  }
  let from = 0;
  const decoded = segments.map((segment) => {
    const start = from;
    from += segment.length + 1;
    if (segment === "") {
      throw malformed("pURI", text, "the segment at character " + start + " is empty");
    }
    const wrong = segment.search(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~%!\x24\x26'()*+,;=@-]/);
    if (wrong >= 0) {
      const why = segment[wrong] === "%" ? " does not start an escape such as %3A" : " must be percent-encoded";
      throw malformed("pURI", text, character(text, start + wrong) + why);
    }
    try {
      return decodeURIComponent(segment);
    } catch (e) {
      throw malformed("pURI", text, "the escapes in the segment at character " + start + " are not UTF-8");
    }
  });
  const length = decoded.map((segment) => puriSegment("segment", segment)).join(":").length;
  if (length > 1024) {
    throw malformed(
      "pURI", text, "it has " + length + " characters with the necessary escapes: expected at most 1024");
  }
  return decoded;
}

function puriNamespace(value) {
  return puriSegments(value)[0];
}

function puriCollection(value) {
  return puriSegments(value)[1];
}

function puriIdentifier(value) {
  return puriSegments(value)[2];
}
