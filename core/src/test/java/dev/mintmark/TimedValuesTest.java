package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** TSIDs, KSUIDs, ObjectIds and Xids: what the four have in common, in their own terms. */
class TimedValuesTest {
  private static final Instant TIME = Instant.parse("2026-05-01T12:00:00.123Z");

  /** A kind of value. */
  private enum Value {
    TSID(
        "TSID",
        8,
        new Type<>(Tsid::parse, Tsid::tryParse, Tsid::time, Tsid::min, Tsid::max, Tsid::range)),
    KSUID(
        "KSUID",
        20,
        new Type<>(
            Ksuid::parse, Ksuid::tryParse, Ksuid::time, Ksuid::min, Ksuid::max, Ksuid::range)),
    OBJECTID(
        "ObjectId",
        12,
        new Type<>(
            ObjectId::parse,
            ObjectId::tryParse,
            ObjectId::time,
            ObjectId::min,
            ObjectId::max,
            ObjectId::range)),
    XID(
        "Xid",
        12,
        new Type<>(Xid::parse, Xid::tryParse, Xid::time, Xid::min, Xid::max, Xid::range));

    private final String what;
    private final int bytes;

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private final Type<?> type;

    Value(String what, int bytes, Type<?> type) {
      this.what = what;
      this.bytes = bytes;
      this.type = type;
    }

    /** The value of the first bytes. */
    Comparable<?> of(byte[] random) {
      byte[] own = Arrays.copyOf(random, bytes);
      return switch (this) {
        case TSID -> Tsid.of(ByteBuffer.wrap(own).getLong());
        case KSUID -> Ksuid.fromBytes(own);
        case OBJECTID -> ObjectId.fromBytes(own);
        case XID -> Xid.fromBytes(own);
      };
    }

    byte[] bytesOf(Object id) {
      return switch (this) {
        case TSID -> ByteBuffer.allocate(8).putLong(((Tsid) id).toLong()).array();
        case KSUID -> ((Ksuid) id).toBytes();
        case OBJECTID -> ((ObjectId) id).toBytes();
        case XID -> ((Xid) id).toBytes();
      };
    }
  }

  private record Type<T extends Comparable<T>>(
      Function<String, T> parse,
      Function<String, Optional<T>> tryParse,
      Function<T, Instant> time,
      Function<Instant, T> min,
      Function<Instant, T> max,
      BiFunction<Instant, Instant, IdRange<T>> range) {
    @SuppressWarnings("unchecked") // Each is asked with its own values.
    Instant timeOf(Object id) {
      return time.apply((T) id);
    }

    @SuppressWarnings("unchecked") // As above.
    int compare(Object a, Object b) {
      return Integer.signum(((T) a).compareTo((T) b));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#timed")
  void vectorIsReadAsItSays(JsonNode vector) {
    Value value = Value.valueOf(vector.path("kind").stringValue().toUpperCase(Locale.ROOT));
    String input = vector.path("input").stringValue();

    if (vector.has("reason")) {
      assertThat(value.type.tryParse.apply(input)).isEmpty();
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> value.type.parse.apply(input))
          .withMessage(
              "malformed %s %s: %s",
              value.what, Quoted.of(input), vector.path("reason").stringValue());
    } else {
      Object id = value.type.parse.apply(input);
      assertThat(id).hasToString(input);
      assertThat(HexFormat.of().formatHex(value.bytesOf(id)))
          .isEqualTo(vector.path("bytes").stringValue());
      assertThat(value.type.timeOf(id)).isEqualTo(vector.path("time").stringValue());
    }
  }

  @Property
  void bytesAndTextReadBack(@ForAll Value value, @ForAll @Size(20) byte[] random) {
    Object id = value.of(random);
    String text = id.toString();

    assertThat(value.bytesOf(id)).isEqualTo(Arrays.copyOf(random, value.bytes));
    assertThat((Object) value.type.parse.apply(text)).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat((Optional<?>) value.type.tryParse.apply(text)).isEqualTo(Optional.of(id));
  }

  @Property
  void valuesBytesAndTextsHaveOneOrder(
      @ForAll Value value, @ForAll @Size(20) byte[] first, @ForAll @Size(20) byte[] second) {
    Object a = value.of(first);
    Object b = value.of(second);
    int order = value.type.compare(a, b);

    assertThat(order)
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(value.bytesOf(a), value.bytesOf(b))))
        .isEqualTo(Integer.signum(a.toString().compareTo(b.toString())))
        .isEqualTo(-value.type.compare(b, a));
    assertThat(a.equals(b)).isEqualTo(order == 0);
    assertThat(
            Comparator.<Instant>naturalOrder().compare(value.type.timeOf(a), value.type.timeOf(b)))
        .isIn(0, order, Integer.compare(order, 0));
  }

  @Property
  void anyTextIsReadOrRefused(
      @ForAll Value value,
      @ForAll @NumericChars @AlphaChars @StringLength(min = 12, max = 28) String text) {
    Optional<?> id = value.type.tryParse.apply(text);

    if (id.isEmpty()) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> value.type.parse.apply(text));
    } else {
      assertThat(id.get().toString()).isEqualToIgnoringCase(text);
    }
  }

  @ParameterizedTest
  @EnumSource
  void valuesOfATimeBeginAndEndWithIt(Value value) {
    Object min = value.type.min.apply(TIME);
    Object max = value.type.max.apply(TIME);
    Instant start = value == Value.TSID ? TIME : Instant.parse("2026-05-01T12:00:00Z");

    assertThat(value.type.timeOf(min)).isEqualTo(start).isEqualTo(value.type.timeOf(max));
    assertThat(value.type.compare(min, max)).isNegative();
  }

  @ParameterizedTest
  @EnumSource
  void rangeIsOfAllInstantsBeforeItsEnd(Value value) {
    Instant to = TIME.plusSeconds(2);
    IdRange<?> range = value.type.range.apply(TIME, to);

    assertThat((Object) range.first()).isEqualTo(value.type.min.apply(TIME));
    assertThat((Object) range.last()).isEqualTo(value.type.max.apply(to.minusNanos(1)));
    Instant next = value == Value.TSID ? to : to.plusSeconds(1);
    assertThat(value.type.compare(range.last(), value.type.min.apply(next))).isNegative();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> value.type.range.apply(TIME, TIME))
        .withMessage("time 2026-05-01T12:00:00.123Z is not before 2026-05-01T12:00:00.123Z");
  }

  @ParameterizedTest
  @CsvSource({
    "TSID, 2019-12-31T23:59:59.999Z, 2159-05-15T07:35:11.103Z",
    "KSUID, 2014-05-13T16:53:19.999Z, 2150-06-19T23:21:35.999Z",
    "OBJECTID, 1969-12-31T23:59:59.999Z, 2106-02-07T06:28:15.999Z",
    "XID, 1969-12-31T23:59:59.999Z, 2106-02-07T06:28:15.999Z"
  })
  void timeOutOfRangeIsRefused(Value value, Instant before, Instant last) {
    assertThat(value.type.timeOf(value.type.max.apply(last))).isBeforeOrEqualTo(last);
    Instant end = last.plusMillis(1);
    assertThat((Object) value.type.range.apply(TIME, end).last())
        .as("a range may end with the last instant")
        .isEqualTo(value.type.max.apply(last));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> value.type.min.apply(before))
        .withMessageStartingWith("time " + before + ": expected ")
        .withMessageEndingWith(" to " + last);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> value.type.max.apply(end))
        .withMessageStartingWith("time ");
  }

  @Test
  void tsidIsReadAsPeopleTypeIt() {
    assertThat(Tsid.parseLoosely(" o1226-n064oj7q ")).hasToString("01226N0640J7Q");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Tsid.parseLoosely("01226N0640J7U"));
  }

  @Test
  void examplesInTheDocumentationHold() {
    assertThat(Tsid.parse("01226N0640J7Q").toLong()).isEqualTo(38358284406638839L);
    assertThat(Tsid.parse("01226N0640J7Q").time()).isEqualTo("2020-04-15T20:22:07.665Z");
    assertThat(Ksuid.parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv").time())
        .hasToString("2017-10-10T04:00:47Z");
    assertThat(ObjectId.parse("507f1f77bcf86cd799439011").time())
        .hasToString("2012-10-17T21:13:27Z");
    assertThat(Xid.parse("9m4e2mr0ui3e8a215n4g").time()).hasToString("2011-03-22T17:50:19Z");
  }

  @Test
  void wrongNumberOfBytesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ksuid.fromBytes(new byte[19]))
        .withMessage("KSUID of 19 bytes: expected 20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectId.fromBytes(new byte[13]))
        .withMessage("ObjectId of 13 bytes: expected 12");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Xid.fromBytes(new byte[0]))
        .withMessage("Xid of 0 bytes: expected 12");
  }
}
