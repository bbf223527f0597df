package dev.mintmark;

import dev.mintmark.Codecs.Address;
import dev.mintmark.Codecs.After;
import dev.mintmark.Codecs.Base64;
import dev.mintmark.Codecs.Based;
import dev.mintmark.Codecs.Characters;
import dev.mintmark.Codecs.Checked;
import dev.mintmark.Codecs.Decimal;
import dev.mintmark.Codecs.Groups;
import dev.mintmark.Codecs.HexTemplate;
import dev.mintmark.Codecs.Other;
import dev.mintmark.Codecs.OtherByteOrder;
import dev.mintmark.Codecs.PrefixOf;
import dev.mintmark.Codecs.SeparatedDigits;
import dev.mintmark.Codecs.Until;
import dev.mintmark.Codecs.WithHyphens;
import dev.mintmark.Codecs.WithLetter;
import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The text notations of identifiers: a table with one row for each. A notation reads a number from
 * a text and returns which characters contain which of its bits.
 */
enum Notation {
  HYPHENATED("32 hexadecimal digits with hyphens", new HexTemplate(HexNotation.HYPHENATED)),
  PLAIN("32 hexadecimal digits", new HexTemplate(HexNotation.PLAIN)),
  PAIRS("16 pairs of hexadecimal digits", new HexTemplate(HexNotation.PAIRS)),
  BRACED("32 hexadecimal digits in braces", new HexTemplate(HexNotation.BRACED)),
  URN("32 hexadecimal digits after urn:uuid:", new HexTemplate(HexNotation.URN)),
  BASE64URL("22 digits of base64url", new Digits(Alphabet.BASE64URL, 22, 128, Padding.AFTER)),
  /** RFC 4648 section 4, with or without padding; section 5 with padding. */
  BASE64("22 digits of base64 with padding or the characters + and /", new Base64()),
  ULID("26 digits of Crockford's base 32", new Digits(Alphabet.CROCKFORD, 26, 128, Padding.BEFORE)),

  /** As some people write it, in two or more groups. */
  HYPHENATED_ULID(
      "26 digits of Crockford's base 32 with hyphens",
      new WithHyphens(new Digits(Alphabet.CROCKFORD, 26, 128, Padding.BEFORE))),

  /** The TypeID specification 0.3: a prefix in snake case, an underscore, a suffix. */
  TYPEID(
      "a prefix in snake case and 26 digits of base 32 in lower case",
      new After(
          Pattern.compile("[a-z]([a-z_]{0,61}[a-z])?_"),
          new Digits(Alphabet.CROCKFORD_LOWER, 26, 128, Padding.BEFORE))),

  /** {@link Mask}: the name of a key and a block after the prefix of a collection. */
  MASK(
      "a prefix and 27 digits of Crockford's base 32",
      new After(PrefixOf.MASK, new Digits(Alphabet.CROCKFORD, 27, 135, Padding.BEFORE))),
  KSUID("27 digits of base 62", Ksuid.DIGITS),

  /** All digits of a few KSUIDs are also Crockford digits: after a prefix they may be a mask. */
  PREFIXED_KSUID("a prefix and 27 digits of base 62", new After(PrefixOf.MASK, Ksuid.DIGITS)),

  /** At least one letter, because 20 decimal digits are a number. */
  XID("20 digits of base 32 hex with a letter among them", new WithLetter(Xid.DIGITS)),
  OBJECT_ID("24 hexadecimal digits", ObjectId.DIGITS),

  /** At least one letter, because 13 decimal digits are a number: milliseconds of today. */
  TSID("13 digits of Crockford's base 32 with a letter among them", new WithLetter(Tsid.DIGITS)),

  /** After lower-case letters only with leading zeros: {@code order_7} may be another kind. */
  PREFIXED_NUMBER("a number after letters", new After(PrefixOf.NUMBER, Decimal.of("[0-9]{1,19}"))),
  NUMBER("a decimal number", Decimal.of("0|[1-9][0-9]{0,19}")),

  /** At most as wide as a {@link SequenceId.Format}, after any prefix of one or none. */
  PADDED_NUMBER(
      "a decimal number with leading zeros",
      new After(PrefixOf.SEQUENCE, Decimal.of("0[0-9]{1,17}"))),

  /** {@link NanoId.Format#DEFAULT}: not all lower case, because that is a word. */
  NANOID(
      "21 letters, digits, hyphens and underscores",
      new Other(
          Pattern.compile(".*[A-Z0-9].*"), new Digits(Alphabet.NANOID, 21, 126, Padding.BEFORE))),

  /** With as many digits at least as a {@link #LONG_NUMBER}. */
  BINARY("a binary number of 128 bits", new Based("0b", "1[01]{109,127}", 2)),
  OCTAL("an octal number of 128 bits", new Based("0o", "[1-7][0-7]{36,42}", 8)),

  /** A number of 128 bits: with fewer digits, the first 15 bits or more would be zero. */
  LONG_NUMBER("a decimal number of 128 bits", Decimal.of("[1-9][0-9]{34,38}")),

  UUID25("25 digits of base 36", new Digits(Alphabet.BASE36, 25, 128, Padding.BEFORE)),
  SHORTUUID("22 digits of base 57", new Digits(Alphabet.BASE57, 22, 128, Padding.BEFORE)),
  /** {@code uniqueidentifier} as bytes, and the legacy UUIDs of the C# driver of MongoDB. */
  SQL_SERVER_GUID(
      "32 hexadecimal digits in the byte order of SQL Server",
      new OtherByteOrder(List.of(3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15))),
  JAVA_LEGACY_UUID(
      "32 hexadecimal digits in the byte order of the legacy Java driver of MongoDB",
      new OtherByteOrder(List.of(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8))),
  MYSQL_SWAPPED_UUID(
      "32 hexadecimal digits in the order of UUID_TO_BIN(..., 1) of MySQL",
      new OtherByteOrder(List.of(4, 5, 6, 7, 2, 3, 0, 1, 8, 9, 10, 11, 12, 13, 14, 15))),
  KSUID_HEX(
      "40 hexadecimal digits with a letter among them",
      new WithLetter(new Digits(Alphabet.HEX, 40, 160, Padding.BEFORE))),
  HEX_56(
      "56 hexadecimal digits", new WithLetter(new Digits(Alphabet.HEX, 56, 224, Padding.BEFORE))),
  HEX_64(
      "64 hexadecimal digits", new WithLetter(new Digits(Alphabet.HEX, 64, 256, Padding.BEFORE))),
  HEX_96(
      "96 hexadecimal digits", new WithLetter(new Digits(Alphabet.HEX, 96, 384, Padding.BEFORE))),
  /** Not {@link #BINARY}: with 126 digits that has 128 characters, all of them hexadecimal. */
  HEX_128(
      "128 hexadecimal digits",
      new Other(
          Pattern.compile("(?!0b[01]+$).*[a-fA-F].*"),
          new Digits(Alphabet.HEX, 128, 512, Padding.BEFORE))),
  CUID(
      "c and 24 digits of base 36",
      Groups.of(
          "c(.{8})(.{4})(.{4})(.{8})",
          new Digits(Alphabet.BASE36, 8, 42, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 4, 21, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 4, 21, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 8, 42, Padding.BEFORE))),
  CUID2(
      "24 digits of base 36 after a letter",
      new Other(
          Pattern.compile("[a-z].*[0-9].*"), new Digits(Alphabet.BASE36, 24, 125, Padding.BEFORE))),
  SCRU64(
      "12 digits of base 36",
      new Other(Pattern.compile(".*[a-z].*"), new Digits(Alphabet.BASE36, 12, 63, Padding.BEFORE))),
  PUSH_ID("20 digits of Firebase's base 64", new Digits(Alphabet.PUSH_ID, 20, 120, Padding.BEFORE)),
  /** The first digit is 3 from 2005 to 2041. */
  TID(
      "13 digits of the base 32 of the AT Protocol, from 3 on",
      new Other(
          Pattern.compile("3.*[a-z].*"), new Digits(Alphabet.SORTABLE32, 13, 64, Padding.BEFORE))),
  FLAKE("18 digits of base 62", new Digits(Alphabet.BASE62, 18, 128, Padding.BEFORE)),
  BASE62_22(
      "22 digits of base 62",
      new Other(
          Pattern.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).*"),
          new Digits(Alphabet.BASE62, 22, 128, Padding.BEFORE))),
  NUID(
      "22 digits of base 62 that are no number of 128 bits",
      new Other(
          Pattern.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).*"),
          new Digits(Alphabet.BASE62, 22, 131, Padding.BEFORE))),
  UPID(
      "a prefix of 4 letters and 22 digits of base 32",
      Groups.of(
          "([a-z]{4})_(.{8})(.{13})(.)",
          new Digits(Alphabet.SORTABLE32, 4, 20, Padding.BEFORE),
          new Digits(Alphabet.SORTABLE32, 8, 40, Padding.BEFORE),
          new Digits(Alphabet.SORTABLE32, 13, 65, Padding.BEFORE),
          new Digits(Alphabet.SORTABLE32, 1, 5, Padding.BEFORE))),
  /** The checksum is optional. */
  ORDERLY_ID(
      "a prefix and 32 digits of Crockford's base 32",
      new Checked(
          new After(
              Pattern.compile("[a-z][a-z0-9]{1,30}_"),
              new Until(
                  Pattern.compile("-[0-9A-Za-z]{4}$"),
                  new Digits(Alphabet.CROCKFORD, 32, 160, Padding.BEFORE))),
          CheckDigits::isOrderlyId)),
  NANO64(
      "16 hexadecimal digits in capitals",
      Groups.of(
          "(?=.*[A-F])([0-9A-F]{11})-?([0-9A-F]{5})",
          new Digits(Alphabet.HEX, 11, 44, Padding.BEFORE),
          new Digits(Alphabet.HEX, 5, 20, Padding.BEFORE))),
  PUID(
      "24 digits of base 36, six of them hexadecimal",
      Groups.of(
          "(.{8})(.{6})(.{4})(.{6})",
          new Digits(Alphabet.BASE36, 8, 42, Padding.BEFORE),
          new Digits(Alphabet.HEX, 6, 24, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 4, 21, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 6, 32, Padding.BEFORE))),
  SHORT_PUID(
      "14 digits of base 36",
      Groups.of(
          "(?=.*[0-9])(?=.*[a-z])(.{12})(.{2})",
          new Digits(Alphabet.BASE36, 12, 63, Padding.BEFORE),
          new Digits(Alphabet.BASE36, 2, 11, Padding.BEFORE))),
  IPFS_V0(
      "Qm and 44 digits of base 58",
      new Other(Pattern.compile("Qm.*"), new Digits(Alphabet.BASE58, 46, 272, Padding.BEFORE))),
  IPFS_V1(
      "b and 58 digits of base 32",
      new After(Pattern.compile("b"), new Digits(Alphabet.BASE32, 58, 288, Padding.AFTER))),
  IPNS(
      "k and 61 digits of base 36",
      new After(Pattern.compile("k"), new Digits(Alphabet.BASE36, 61, 320, Padding.BEFORE))),
  SWHID(
      "swh:1: with a type and 40 hexadecimal digits",
      new After(
          Pattern.compile("swh:1:(cnt|dir|rel|rev|snp):(?=[0-9a-f]+$)"),
          new Digits(Alphabet.HEX, 40, 160, Padding.BEFORE))),
  ETHEREUM(
      "0x and 40 hexadecimal digits",
      new After(Pattern.compile("0x"), new Digits(Alphabet.HEX, 40, 160, Padding.BEFORE))),
  BITCOIN_BASE58(
      "25 bytes as digits of base 58",
      new Checked(Characters.of("[13][1-9A-HJ-NP-Za-km-z]{25,34}"), CheckDigits::isBase58Check)),
  BITCOIN_BECH32(
      "bc1 and digits of Bech32",
      new Checked(Characters.of("bc1[02-9ac-hj-np-z]{11,71}"), CheckDigits::isBech32)),
  IPV4("four decimal numbers with dots", new Address(32)),
  IPV6("hexadecimal numbers with colons", new Address(128)),
  MAC(
      "six pairs of hexadecimal digits with colons or hyphens",
      Groups.of(
          "(?=[^:]*$|[^-]*$)" + String.join("[:-]", Collections.nCopies(6, "([0-9A-Fa-f]{2})")),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE),
          new Digits(Alphabet.HEX, 2, 8, Padding.BEFORE))),
  ISBN_13(
      "13 digits after 978 or 979",
      new Checked(SeparatedDigits.of("97[89](-?[0-9]){10}"), CheckDigits::isEan)),
  /** Other numbers of 10 digits are as often a Unix time. */
  ISBN_10(
      "10 digits with hyphens, a leading zero or an X",
      new Checked(Characters.of("(?=0|.*[X-])[0-9](-?[0-9]){8}-?[0-9X]"), CheckDigits::isIsbn10)),
  EAN_13(
      "13 digits",
      new Checked(
          SeparatedDigits.of(
              "(?!97[89])([0-9]{13}|[0-9]-[0-9]{6}-[0-9]{6}|[0-9]{3}-[0-9]{4}-[0-9]{6})"),
          CheckDigits::isEan)),
  /** With hyphens: without them, too many other numbers have a right check digit by chance. */
  EAN_8(
      "8 digits with a hyphen",
      new Checked(SeparatedDigits.of("[0-9]{4}-[0-9]{4}"), CheckDigits::isEan)),
  UPC_A(
      "12 digits with hyphens",
      new Checked(SeparatedDigits.of("[0-9]-[0-9]{5}-[0-9]{5}-[0-9]"), CheckDigits::isEan)),
  GTIN_14(
      "14 digits with hyphens",
      new Checked(
          SeparatedDigits.of("[0-9]-([0-9]{2}-[0-9]{5}|[0-9]{3}-[0-9]{4})-[0-9]{6}"),
          CheckDigits::isEan)),
  IMEI(
      "15 digits from 01, 35, 86 or 99 on",
      new Checked(SeparatedDigits.of("(01|35|86|99)(-?[0-9]{6}){2}-?[0-9]"), CheckDigits::isLuhn)),
  IBAN(
      "a country and digits",
      new Checked(Characters.of("[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}"), CheckDigits::isIban)),
  VIN(
      "17 capitals and digits",
      new Checked(Characters.of("(?=.*[0-9])(?=.*[A-Z])[0-9A-HJ-NPR-Z]{17}"), CheckDigits::isVin)),
  H3(
      "15 hexadecimal digits from 8 on",
      new Checked(
          new Other(
              Pattern.compile("8[0-9a-f]*[a-f][0-9a-f]*"),
              new Digits(Alphabet.HEX, 15, 60, Padding.BEFORE)),
          CheckDigits::isH3Cell)),
  BASE64_11(
      "11 digits of base64url",
      new Other(
          Pattern.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).*"),
          new Digits(Alphabet.BASE64URL, 11, 64, Padding.AFTER))),
  SHORTCODE(
      "11 digits of base64url from A to H on",
      new Other(
          Pattern.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-H].*"),
          new Digits(Alphabet.BASE64URL, 11, 64, Padding.BEFORE))),
  SNOWID(
      "10 digits of base 62",
      new Other(
          Pattern.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).*"),
          new Digits(Alphabet.BASE62, 10, 60, Padding.BEFORE))),
  BREEZE(
      "four groups of 4 letters and digits",
      Characters.of("(?=.*[0-9])([0-9A-Z]{4}(-[0-9A-Z]{4}){3}|[0-9a-z]{4}(-[0-9a-z]{4}){3})")),
  SLACK(
      "9 to 11 capitals and digits from B, C, D, G, T, U or W on",
      Characters.of("[BCDGTUW](?=.*[0-9])[0-9A-Z]{8,10}")),
  ASIN("B0 and 8 capitals and digits", Characters.of("B0[0-9A-Z]{8}")),
  DUNS("9 digits with two hyphens", SeparatedDigits.of("[0-9]{2}-[0-9]{3}-[0-9]{4}")),
  GOOGLE_DOCS(
      "44 digits of base64url from 1 on",
      Characters.of("1(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[0-9A-Za-z_-]{43}")),
  SQID(
      "6 to 16 letters and digits",
      Characters.of("(?![A-Za-z]+[0-9]+$)(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[0-9A-Za-z]{6,16}")),
  HASHID(
      "6 to 16 letters and digits",
      Characters.of("(?![A-Za-z]+[0-9]+$)(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[0-9A-Za-z]{6,16}")),
  /** Those of {@link DeclaredFormats}, each of which has a codec of its own. */
  DECLARED("a format of the catalog", new Codecs.Nothing());

  /** The notations in which databases and programs write 128 bits of any kind. */
  static final Set<Notation> OF_UUID = Set.of(HYPHENATED, PLAIN, PAIRS, BRACED, URN);

  /** The notations of 128 bits that are seldom anything else. */
  static final Set<Notation> OF_BITS = Set.of(BASE64URL, BASE64, LONG_NUMBER, BINARY, OCTAL);

  /** Reads a number from a text. */
  interface Codec {
    /** Returns the number; empty if the text is not in this notation. */
    Optional<BigInteger> decode(String text);

    /** The characters with bits from {@code first}, inclusive, to {@code end}, exclusive. */
    Reading.Span span(String text, int first, int end);

    /** The notation of a text of a known kind, which needs no letter to differ from a number. */
    default Codec ofKnownKind() {
      return this;
    }

    /** Whether JavaScript and many JSON parsers read such a text as a number. */
    default boolean isNumber() {
      return false;
    }
  }

  private final String what;

  @SuppressWarnings("ImmutableEnumChecker") // Each is a record of immutable values.
  private final Codec codec;

  Notation(String what, Codec codec) {
    this.what = what;
    this.codec = codec;
  }

  /** The name of this notation, for a sentence. */
  String what() {
    return what;
  }

  /** Returns the number of {@code text}; empty if it is not in this notation. */
  Optional<BigInteger> decode(String text) {
    return codec.decode(text);
  }

  /** Reads this notation, and returns which characters contain which bits. */
  Codec codec() {
    return codec;
  }
}
