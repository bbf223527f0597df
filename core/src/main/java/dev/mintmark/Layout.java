package dev.mintmark;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A kind of identifier as a text may have it: its notations, the scale of its time, and its fields
 * in their order and with the names of its specification. Immutable.
 *
 * <p>To add a format, add its row to the class of its family ({@link UuidLayouts}, {@link
 * SortableLayouts}, {@link NumberLayouts}, {@link AddressLayouts}, {@link CheckedLayouts}, {@link
 * ShapeLayouts}) and its place to {@link Layouts}; if it has a notation of its own, add that to
 * {@link Notation}. {@link Ranking} and {@link Inspector} need no change.
 */
final class Layout {
  /** The tolerated difference between the clocks of two machines. */
  static final Duration CLOCK_SKEW_MAX = Duration.ofDays(1);

  /** The most bits that a layout with forms has: those of a KSUID. */
  static final int WIDTH_MAX = 160;

  /** The bits of the widest number that forms of 128 bits can write. */
  private static final int ULID_BITS = 128;

  private final String kind;
  private final Written written;
  private final Timescale timescale;
  private final List<Slot> slots;
  private final int width;
  private final long earliestMillis;
  private final HighTime highTime;
  private final Use use;

  /** What else is done with identifiers that have a layout. */
  private enum Use {
    /** They are converted, and have forms. */
    CONVERTED,
    /** They have forms. */
    INSPECTED,
    /** Nothing: the bits are only those of the characters. */
    SHAPE
  }

  Layout(String kind, Written written, Timescale timescale, Slot... slots) {
    this(Use.CONVERTED, kind, written, timescale, slots);
  }

  private Layout(Use use, String kind, Written written, Timescale timescale, Slot... slots) {
    this.use = use;
    this.kind = kind;
    this.written = written;
    this.timescale = timescale;
    this.slots = List.of(slots);
    this.width = this.slots.stream().mapToInt(Slot::width).sum();
    this.earliestMillis =
        timescale.equals(Timescale.NONE) ? Long.MIN_VALUE : timescale.earliest().toEpochMilli();
    this.highTime = HighTime.of(this.slots, timescale);
  }

  /** Returns a layout that {@code inspect} recognizes and {@code convert} does not read. */
  static Layout inspected(String kind, Written written, Timescale timescale, Slot... slots) {
    return new Layout(Use.INSPECTED, kind, written, timescale, slots);
  }

  /** Returns a layout without forms, which {@code inspect} recognizes by its characters alone. */
  static Layout shape(String kind, Written written, Slot... slots) {
    return new Layout(Use.SHAPE, kind, written, Timescale.NONE, slots);
  }

  /** A field with its number. */
  record Value(Slot slot, BigInteger number) {}

  String kind() {
    return kind;
  }

  List<Slot> slots() {
    return slots;
  }

  /** The number of bits. */
  int width() {
    return width;
  }

  /** Whether its number is the 128 bits of a ULID or UUID. */
  boolean hasUuid() {
    return width == ULID_BITS;
  }

  /** Whether identifiers have other forms: the bits of a mask are enciphered. */
  boolean isConvertible() {
    return use == Use.CONVERTED;
  }

  /** Whether a catalog declares it. */
  boolean isDeclared() {
    return evidence(Notation.DECLARED).isPresent();
  }

  /** Whether the version and the variant of a UUID mark this layout. */
  boolean isMarked() {
    return evidence(Notation.HYPHENATED).filter(Evidence.MARK::equals).isPresent();
  }

  /** The time in the first half of its 128 bits. */
  HighTime highTime() {
    return highTime;
  }

  /** The earliest plausible time in milliseconds since 1970. */
  long earliestMillis() {
    return earliestMillis;
  }

  /**
   * Returns the number of a text that is said to have this layout, in the first notation of it that
   * the text has, if any.
   */
  Optional<BigInteger> decode(String text) {
    return Arrays.stream(Notation.values())
        .filter(notation -> evidence(notation).filter(found -> found != Evidence.SHAPE).isPresent())
        .flatMap(notation -> notation.codec().ofKnownKind().decode(text).stream())
        .filter(this::fits)
        .findFirst();
  }

  /** The evidence that a text in this notation has this layout; empty if it cannot. */
  Optional<Evidence> evidence(Notation notation) {
    return Optional.ofNullable(written.evidence().get(notation));
  }

  /** Whether the number fits the bits of the layout and every field has a valid number. */
  boolean fits(BigInteger number) {
    return number.bitLength() <= width
        && values(number).stream().allMatch(value -> value.slot.admits(value.number));
  }

  /** The fields with their numbers, from the first to the last. */
  List<Value> values(BigInteger number) {
    List<Value> values = new ArrayList<>();
    int end = width;
    for (Slot slot : slots) {
      end -= slot.width();
      values.add(new Value(slot, number.shiftRight(end).and(Slot.ones(slot.width()))));
    }
    return values;
  }

  /** The version of the UUID, if the layout has one. */
  OptionalInt uuidVersion() {
    return slots.stream()
        .filter(slot -> slot.name().equals("ver") && slot.isFixed())
        .mapToInt(slot -> slot.first().intValue())
        .findFirst();
  }

  /** The time of the identifier, if the layout has one. */
  Optional<Instant> time(BigInteger number) {
    if (timescale.equals(Timescale.NONE)) {
      return Optional.empty();
    }
    BigInteger ticks =
        values(number).stream()
            .map(value -> value.number.multiply(BigInteger.valueOf(value.slot.ticks())))
            .reduce(BigInteger.ZERO, BigInteger::add);
    return Optional.of(timescale.at(ticks));
  }

  /** Whether the time is later than any clock may show at {@code now}. */
  boolean isFromFuture(BigInteger number, Instant now) {
    return time(number).filter(time -> time.isAfter(now.plus(CLOCK_SKEW_MAX))).isPresent();
  }

  /** Whether the time is earlier than this layout can have been in use. */
  boolean isFromBefore(BigInteger number) {
    return time(number).filter(time -> time.isBefore(timescale.earliest())).isPresent();
  }

  /** Whether the time is later than this layout was in use. */
  boolean isFromAfter(BigInteger number) {
    return time(number).filter(time -> time.isAfter(timescale.latest())).isPresent();
  }

  /** Whether it can have been made by {@code now}; true without a time. */
  boolean isPlausible(BigInteger number, Instant now) {
    return !isFromFuture(number, now) && !isFromBefore(number) && !isFromAfter(number);
  }

  /** Whether every random bit is zero; false without random bits. */
  boolean hasNoRandomness(BigInteger number) {
    return slots.stream().anyMatch(Slot::isRandom)
        && values(number).stream()
            .allMatch(value -> !value.slot.isRandom() || value.number.signum() == 0);
  }

  /** Writes an identifier of 128 bits in a form; empty if that does not apply to the layout. */
  Optional<String> write(Ulid id, Form form) {
    return switch (form) {
      case PURI, COMPACT, MASK -> Optional.empty();
      case TIME -> time(id.toBigInteger()).map(Form::timeText);
      case TIME_TEXT, RANDOMNESS_TEXT ->
          timescale.equals(Timescale.UNIX_MILLIS) ? Optional.of(form.write(id)) : Optional.empty();
      default -> Optional.of(form.write(id));
    };
  }

  /** Writes an identifier in a form; empty if that does not apply to the layout. */
  Optional<String> write(BigInteger number, Form form) {
    if (use == Use.SHAPE) {
      return Optional.empty();
    }
    if (width == ULID_BITS) {
      return write(Ulid.from(number), form);
    }
    if (width % Byte.SIZE != 0) {
      return Optional.empty();
    }
    return switch (form) {
      case HEX -> Optional.of(HexFormat.of().formatHex(bytes(number)));
      case BYTES -> Optional.of(HexFormat.ofDelimiter(" ").formatHex(bytes(number)));
      case INT -> Optional.of(number.toString());
      case TIME -> time(number).map(Form::timeText);
      default -> Optional.empty();
    };
  }

  /** As many bytes as the layout has, the most significant first. */
  private byte[] bytes(BigInteger number) {
    byte[] bytes = new byte[width / Byte.SIZE];
    for (int i = bytes.length - 1, shift = 0; i >= 0; i--, shift += Byte.SIZE) {
      bytes[i] = number.shiftRight(shift).byteValue();
    }
    return bytes;
  }
}
