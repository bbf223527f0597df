package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;
import static dev.mintmark.Slot.random;
import static dev.mintmark.Slot.ticks;

import java.math.BigInteger;

/**
 * The layouts that are written as decimal numbers: Unix times, Snowflakes, sequences. See {@link
 * Layouts} for their order.
 */
final class NumberLayouts {
  /** POSIX.1-2017 section 4.16, "Seconds Since the Epoch". */
  static final Layout UNIX_SECONDS =
      new Layout(
          "unix-seconds",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.unix(1, "1990-01-01T00:00:00Z"),
          ticks(40, "seconds", 1, "seconds since 1970"));

  /** The same in milliseconds, as {@code System.currentTimeMillis} of Java returns it. */
  static final Layout UNIX_MILLIS =
      new Layout(
          "unix-millis",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.UNIX_MILLIS,
          ticks(48, "milliseconds", 1, "milliseconds since 1970"));

  /** The same in microseconds. */
  static final Layout UNIX_MICROS =
      new Layout(
          "unix-micros",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.unix(1_000_000, "1990-01-01T00:00:00Z"),
          ticks(56, "microseconds", 1, "microseconds since 1970"));

  /** github.com/twitter-archive/snowflake: {@code IdWorker}. */
  static final Layout SNOWFLAKE_TWITTER =
      new Layout(
          "snowflake-twitter",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2010-11-04T01:42:54.657Z", 1000, "2010-11-05T00:00:00Z"),
          fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
          ticks(41, "timestamp", 1, "milliseconds since 2010-11-04T01:42:54.657Z"),
          plain(5, "datacenter", "number of the data centre"),
          plain(5, "worker", "number of the worker in it"),
          plain(12, "sequence", "counter within the millisecond"));

  /** Discord's developer documentation, "Snowflakes". */
  static final Layout SNOWFLAKE_DISCORD =
      new Layout(
          "snowflake-discord",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2015-01-01T00:00:00Z", 1000, "2015-02-01T00:00:00Z"),
          ticks(42, "timestamp", 1, "milliseconds since 2015-01-01"),
          plain(5, "worker", "number of the worker"),
          plain(5, "process", "number of the process"),
          plain(12, "increment", "counted up with every id of the process"));

  /** Instagram's "Sharding &amp; IDs" of 2011, with the epoch of its example. */
  static final Layout SNOWFLAKE_INSTAGRAM =
      new Layout(
          "snowflake-instagram",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2011-08-24T21:07:01.721Z", 1000, "2011-09-01T00:00:00Z"),
          ticks(41, "timestamp", 1, "milliseconds since 2011-08-24T21:07:01.721Z"),
          plain(13, "shard", "number of the logical shard"),
          plain(10, "sequence", "counter within the shard, modulo 1024"));

  /** The same in nanoseconds, as {@code time.Now().UnixNano()} of Go returns it. */
  static final Layout UNIX_NANOS =
      new Layout(
          "unix-nanos",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.unix(1_000_000_000, "1990-01-01T00:00:00Z"),
          ticks(64, "nanoseconds", 1, "nanoseconds since 1970"));

  /** github.com/sony/sonyflake, with its default start time. */
  static final Layout SNOWFLAKE_SONY =
      new Layout(
          "snowflake-sony",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2014-09-01T00:00:00Z", 100, "2015-05-01T00:00:00Z"),
          fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
          ticks(39, "timestamp", 1, "units of 10 milliseconds since 2014-09-01"),
          plain(8, "sequence", "counter within the 10 milliseconds"),
          plain(16, "machine", "number of the machine"));

  /** A number of a database sequence. */
  static final Layout SEQUENCE =
      new Layout(
          "sequence",
          Written.as(Evidence.NOTATION, Notation.PREFIXED_NUMBER)
              .or(Evidence.LOOK, Notation.NUMBER, Notation.PADDED_NUMBER),
          Timescale.NONE,
          fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
          plain(63, "number", "number of a sequence"));

  /** github.com/mastodon/mastodon: lib/mastodon/snowflake.rb. */
  static final Layout SNOWFLAKE_MASTODON =
      Layout.inspected(
          "snowflake-mastodon",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("1970-01-01T00:00:00Z", 1000, "2016-01-01T00:00:00Z"),
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          plain(16, "sequence", "hash and counter of the table"));

  /** LinkedIn, and github.com/T-PWK/flake-idgen with its default epoch. */
  static final Layout SNOWFLAKE_OF_1970 =
      Layout.inspected(
          "snowflake-1970",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("1970-01-01T00:00:00Z", 1000, "2013-01-01T00:00:00Z"),
          fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
          ticks(41, "timestamp", 1, "milliseconds since 1970"),
          plain(10, "worker", "number of the worker"),
          plain(12, "sequence", "counter within the millisecond"));

  /** github.com/ordo-one/package-frostflake. */
  static final Layout FROSTFLAKE =
      Layout.inspected(
          "frostflake",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("1970-01-01T00:00:00Z", 1, "2022-01-01T00:00:00Z"),
          ticks(32, "timestamp", 1, "seconds since 1970"),
          plain(21, "sequence", "counter within the second"),
          plain(11, "machine", "number of the generator"));

  /** engineering.custommade.com, "Simpleflake" of 2013. */
  static final Layout SIMPLEFLAKE =
      Layout.inspected(
          "simpleflake",
          Written.as(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2000-01-01T00:00:00Z", 1000, "2013-01-01T00:00:00Z"),
          ticks(41, "timestamp", 1, "milliseconds since 2000-01-01"),
          random(23, "random"));

  private NumberLayouts() {}
}
