package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;
import static dev.mintmark.Slot.random;
import static dev.mintmark.Slot.ticks;
import static dev.mintmark.Slot.variant;
import static dev.mintmark.Slot.version;

import java.math.BigInteger;

/**
 * The layouts of identifiers that begin with a time and have a text form of their own. See {@link
 * Layouts} for their order.
 */
final class SortableLayouts {
  /** The ULID specification. */
  static final Layout ULID =
      new Layout(
          "ulid",
          Written.asBits(Evidence.TIME)
              .or(Evidence.NOTATION, Notation.ULID, Notation.HYPHENATED_ULID)
              .or(Evidence.TIME, Notation.TYPEID),
          Timescale.UNIX_MILLIS,
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          random(80, "randomness"));

  /** The TypeID specification 0.3. */
  static final Layout TYPEID =
      new Layout(
          "typeid",
          Written.as(Evidence.NOTATION, Notation.TYPEID),
          Timescale.UNIX_MILLIS,
          ticks(48, "unix_ts_ms", 1, "milliseconds since 1970"),
          version(7),
          random(12, "rand_a"),
          variant(),
          random(62, "rand_b"));

  /** MongoDB's manual, "ObjectId"; until 2018 the middle was 24 bits of machine, 16 of process. */
  static final Layout OBJECT_ID =
      new Layout(
          "objectid",
          Written.as(Evidence.NOTATION, Notation.OBJECT_ID),
          Timescale.unix(1, "2009-01-01T00:00:00Z"),
          ticks(32, "timestamp", 1, "seconds since 1970"),
          random(40, "random"),
          plain(24, "counter", "counted up from a random start"));

  /** github.com/segmentio/ksuid. */
  static final Layout KSUID =
      new Layout(
          "ksuid",
          Written.as(Evidence.NOTATION, Notation.KSUID)
              .or(Evidence.TIME, Notation.PREFIXED_KSUID, Notation.KSUID_HEX),
          Timescale.from("2014-05-13T16:53:20Z", 1, "2014-05-13T16:53:20Z"),
          ticks(32, "timestamp", 1, "seconds since 2014-05-13T16:53:20Z"),
          random(128, "payload"));

  /** github.com/rs/xid: the fields of an old ObjectId. */
  static final Layout XID =
      new Layout(
          "xid",
          Written.as(Evidence.NOTATION, Notation.XID),
          Timescale.unix(1, "2009-01-01T00:00:00Z"),
          ticks(32, "timestamp", 1, "seconds since 1970"),
          plain(24, "machine", "hash of the machine's name"),
          plain(16, "pid", "number of the process"),
          plain(24, "counter", "counted up from a random start"));

  /** github.com/f4b6a3/tsid-creator, github.com/vladmihalcea/hypersistence-tsid. */
  static final Layout TSID =
      new Layout(
          "tsid",
          Written.as(Evidence.NOTATION, Notation.TSID).or(Evidence.TIME, Notation.NUMBER),
          Timescale.from("2020-01-01T00:00:00Z", 1000, "2020-02-01T00:00:00Z"),
          ticks(42, "timestamp", 1, "milliseconds since 2020-01-01"),
          random(22, "random"));

  /** A UUID of another version in the notation of a TypeID, which most libraries accept. */
  static final Layout TYPEID_OF_OTHER_UUID =
      new Layout(
          "typeid",
          Written.as(Evidence.LOOK, Notation.TYPEID),
          Timescale.NONE,
          plain(128, "uuid", "a UUID of another version"));

  /** github.com/paralleldrive/cuid. */
  static final Layout CUID =
      Layout.inspected(
          "cuid",
          Written.as(Evidence.TIME, Notation.CUID),
          Timescale.unix(1000, "2012-01-01T00:00:00Z"),
          ticks(42, "timestamp", 1, "milliseconds since 1970"),
          plain(21, "counter", "counted up by the process"),
          plain(21, "machine", "fingerprint of the host and the process"),
          random(42, "random"));

  /** github.com/scru128/spec, version 3. */
  static final Layout SCRU128 =
      Layout.inspected(
          "scru128",
          Written.as(Evidence.TIME, Notation.UUID25),
          Timescale.unix(1000, "2021-01-01T00:00:00Z"),
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          plain(24, "counter_hi", "random, renewed every second"),
          plain(24, "counter_lo", "counted up within the millisecond"),
          random(32, "random"));

  /** github.com/scru64/spec. */
  static final Layout SCRU64 =
      Layout.inspected(
          "scru64",
          Written.as(Evidence.TIME, Notation.SCRU64),
          Timescale.unix(1000, "2022-01-01T00:00:00Z"),
          fixed(1, "pad", BigInteger.ZERO, "always 0"),
          ticks(38, "timestamp", 256, "units of 256 milliseconds since 1970"),
          plain(24, "node_ctr", "number of the node, then a counter"));

  /** github.com/anthonynsimon/timeflake. */
  static final Layout TIMEFLAKE =
      Layout.inspected(
          "timeflake",
          Written.as(Evidence.TIME, Notation.BASE62_22),
          Timescale.unix(1000, "2019-01-01T00:00:00Z"),
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          random(80, "random"));

  /** github.com/boundary/flake. */
  static final Layout FLAKE =
      Layout.inspected(
          "flake",
          Written.as(Evidence.TIME, Notation.FLAKE)
              .or(Evidence.SHAPE, Notation.HYPHENATED, Notation.PLAIN),
          Timescale.unix(1000, "2012-01-01T00:00:00Z"),
          fixed(16, "timestamp_high", BigInteger.ZERO, "always 0: the time has 48 bits"),
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          plain(48, "worker", "MAC address of the machine"),
          plain(16, "sequence", "counter within the millisecond"));

  /** Firebase's blog of 2015-02-11, "The 2^120 Ways to Ensure Unique Identifiers". */
  static final Layout PUSH_ID =
      Layout.inspected(
          "firebase-push-id",
          Written.as(Evidence.TIME, Notation.PUSH_ID),
          Timescale.unix(1000, "2012-01-01T00:00:00Z"),
          ticks(48, "timestamp", 1, "milliseconds since 1970"),
          random(72, "random"));

  /** The AT Protocol specification, "TID". */
  static final Layout TID =
      Layout.inspected(
          "atproto-tid",
          Written.as(Evidence.NOTATION, Notation.TID),
          Timescale.unix(1_000_000, "2005-09-05T00:00:00Z"),
          fixed(1, "sign", BigInteger.ZERO, "always 0"),
          ticks(53, "timestamp", 1, "microseconds since 1970"),
          plain(10, "machine", "number of the clock"));

  /** github.com/carderne/upid. */
  static final Layout UPID =
      Layout.inspected(
          "upid",
          Written.as(Evidence.TIME, Notation.UPID),
          Timescale.unix(1000, "2023-01-01T00:00:00Z"),
          plain(20, "namespace", "prefix of the kind"),
          ticks(40, "timestamp", 256, "units of 256 milliseconds since 1970"),
          random(65, "random"),
          plain(5, "version", "version of the format"));

  /** github.com/orderlykit/orderlyid, specification 0.1. */
  static final Layout ORDERLY_ID =
      Layout.inspected(
          "orderlyid",
          Written.as(Evidence.TIME, Notation.ORDERLY_ID),
          Timescale.from("2020-01-01T00:00:00Z", 1000, "2025-01-01T00:00:00Z"),
          ticks(48, "time", 1, "milliseconds since 2020-01-01"),
          fixed(2, "version", BigInteger.ZERO, "0 is version 1"),
          plain(1, "privacy", "1 if the time is rounded down"),
          fixed(5, "reserved", BigInteger.ZERO, "always 0"),
          plain(16, "tenant", "number of the tenant"),
          plain(12, "seq", "counter within the millisecond"),
          plain(16, "shard", "number of the shard"),
          random(60, "random"));

  /** github.com/only-cliches/Nano64. */
  static final Layout NANO64 =
      Layout.inspected(
          "nano64",
          Written.as(Evidence.TIME, Notation.NANO64),
          Timescale.unix(1000, "2024-01-01T00:00:00Z"),
          ticks(44, "timestamp", 1, "milliseconds since 1970"),
          random(20, "random"));

  /** github.com/pid/puid. */
  static final Layout PUID =
      Layout.inspected(
          "puid",
          Written.as(Evidence.TIME, Notation.PUID),
          Timescale.unix(1000, "2013-01-01T00:00:00Z"),
          ticks(42, "timestamp", 1, "milliseconds since 1970"),
          plain(24, "machine", "hash of the address of the machine"),
          plain(21, "process", "number of the process"),
          plain(32, "counter", "counted up by the process"));

  /** github.com/pid/puid, its short form with a node. */
  static final Layout SHORT_PUID =
      Layout.inspected(
          "short-puid",
          Written.as(Evidence.SHAPE, Notation.SHORT_PUID),
          Timescale.unix(1_000_000_000, "2013-01-01T00:00:00Z"),
          ticks(63, "timestamp", 1, "nanoseconds since 1970"),
          plain(11, "node", "number of the node"));

  /** docs.datadoghq.com, "Span and Trace ID Format": trace ids of 128 bits. */
  static final Layout DATADOG_TRACE =
      Layout.inspected(
          "datadog-trace",
          Written.as(Evidence.SHAPE, Notation.PLAIN),
          Timescale.unix(1, "2022-01-01T00:00:00Z"),
          ticks(32, "timestamp", 1, "seconds since 1970"),
          fixed(32, "zero", BigInteger.ZERO, "always 0"),
          random(64, "random"));

  private SortableLayouts() {}
}
