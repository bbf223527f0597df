package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;
import static dev.mintmark.Slot.random;
import static dev.mintmark.Slot.ticks;

import java.math.BigInteger;

/**
 * The layouts of which a text has only the form: nothing in it can be checked. See {@link Layouts}
 * for their order.
 */
final class ShapeLayouts {
  /**
   * The face that {@link Mask} gives an identifier; only its key reveals the contents of the block.
   */
  static final Layout MASK =
      Layout.inspected(
          "mask",
          Written.as(Evidence.NOTATION, Notation.MASK),
          Timescale.NONE,
          plain(5, "key", "name of the key in the keyring"),
          fixed(2, "pad", BigInteger.ZERO, "always 0: 26 digits could hold 130 bits"),
          plain(
              128, "block", "the identifier, enciphered: read it with Mask.open and its keyring"));

  /** github.com/ai/nanoid, with its default length and alphabet. */
  static final Layout NANOID =
      Layout.inspected(
          "nanoid",
          Written.as(Evidence.SHAPE, Notation.NANOID),
          Timescale.NONE,
          random(126, "random"));

  /** github.com/paralleldrive/cuid2, with its default length. */
  static final Layout CUID2 =
      Layout.shape("cuid2", Written.as(Evidence.SHAPE, Notation.CUID2), random(125, "random"));

  /** developers.google.com/youtube/v3: the id of a video. */
  static final Layout YOUTUBE =
      Layout.shape(
          "youtube-video", Written.as(Evidence.SHAPE, Notation.BASE64_11), random(64, "random"));

  /** Instagram and Threads: the number of a post in base64url. */
  static final Layout SHORTCODE =
      Layout.inspected(
          "instagram-shortcode",
          Written.as(Evidence.SHAPE, Notation.SHORTCODE),
          Timescale.from("2011-08-24T21:07:01.721Z", 1000, "2011-09-01T00:00:00Z"),
          ticks(41, "timestamp", 1, "milliseconds since 2011-08-24T21:07:01.721Z"),
          plain(13, "shard", "number of the logical shard"),
          plain(10, "sequence", "counter within the shard, modulo 1024"));

  /** github.com/qeeqez/snowid, with its default epoch. */
  static final Layout SNOWID =
      Layout.inspected(
          "snowid",
          Written.as(Evidence.SHAPE, Notation.SNOWID),
          Timescale.from("2024-01-01T00:00:00Z", 1000, "2024-02-01T00:00:00Z"),
          ticks(38, "timestamp", 1, "milliseconds since 2024-01-01"),
          plain(10, "node", "number of the node"),
          plain(12, "sequence", "counter within the millisecond"));

  /** github.com/nats-io/nuid. */
  static final Layout NUID =
      Layout.shape(
          "nuid",
          Written.as(Evidence.SHAPE, Notation.NUID),
          plain(131, "text", "12 random digits, then a counter of 10"));

  /** developer.spotify.com, "Spotify URIs and IDs". */
  static final Layout SPOTIFY =
      Layout.shape(
          "spotify", Written.as(Evidence.SHAPE, Notation.BASE62_22), random(128, "random"));

  /** github.com/tzwel/breezeid. */
  static final Layout BREEZE_ID =
      Layout.shape(
          "breezeid",
          Written.as(Evidence.SHAPE, Notation.BREEZE),
          plain(152, "text", "8 bits per character"));

  /** docs.slack.dev: ids of channels, users and teams. */
  static final Layout SLACK =
      Layout.shape(
          "slack",
          Written.as(Evidence.SHAPE, Notation.SLACK),
          plain(88, "text", "8 bits per character"));

  /** Amazon's Standard Identification Number. */
  static final Layout ASIN =
      Layout.shape(
          "asin",
          Written.as(Evidence.SHAPE, Notation.ASIN),
          plain(80, "text", "8 bits per character"));

  /** dnb.com: the D-U-N-S number. */
  static final Layout DUNS =
      Layout.shape(
          "duns",
          Written.as(Evidence.SHAPE, Notation.DUNS),
          plain(30, "number", "number of the business"));

  /** developers.google.com/workspace: the id of a file. */
  static final Layout GOOGLE_DOCS =
      Layout.shape(
          "google-docs",
          Written.as(Evidence.SHAPE, Notation.GOOGLE_DOCS),
          plain(352, "text", "8 bits per character"));

  /** sqids.org, with its default alphabet. */
  static final Layout SQID =
      Layout.shape(
          "sqid",
          Written.as(Evidence.SHAPE, Notation.SQID),
          plain(128, "text", "8 bits per character"));

  /** hashids.org; its salt is not known. */
  static final Layout HASHID =
      Layout.shape(
          "hashid",
          Written.as(Evidence.SHAPE, Notation.HASHID),
          plain(128, "text", "8 bits per character"));

  private ShapeLayouts() {}
}
