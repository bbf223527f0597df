package dev.mintmark;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes an identifier apart that somebody found in a log, a table or a URL: every plausible
 * {@linkplain Reading reading} of it, the most likely first.
 *
 * <p>It reads a ULID (26 characters of Crockford's base 32) and a UUID (hyphenated, as 32
 * hexadecimal digits, in braces, or behind {@code urn:uuid:}), in either letter case. Each may turn
 * out to be the other one, for both are 128 bits.
 *
 * <pre>{@code
 * Reading likely = Inspector.inspect("017fe093-7adf-9932-aaaa-01fd0ba14d3f").get(0);
 * likely.kind();  // "ulid"
 * likely.time();  // 2022-03-31T15:23:55.999Z
 * }</pre>
 */
public final class Inspector {
  private final Ulid bits;
  private final Instant now;

  /** Whether the text was one of a UUID, so that its version and variant were meant to be some. */
  private final boolean writtenAsUuid;

  private final Spans spans;

  /** Tells which characters of the text hold some of the bits from first to below end. */
  private interface Spans {
    Reading.Span of(int firstBit, int endBit);
  }

  private Inspector(Ulid bits, Instant now, boolean writtenAsUuid, Spans spans) {
    this.bits = bits;
    this.now = now;
    this.writtenAsUuid = writtenAsUuid;
    this.spans = spans;
  }

  /** Returns the readings of {@code text}, the most likely first; none if it cannot be read. */
  public static List<Reading> inspect(String text) {
    return inspect(text, InstantSource.system());
  }

  /**
   * Returns the readings of {@code text} at the time of the clock, which tells past from future.
   */
  public static List<Reading> inspect(String text, InstantSource clock) {
    Instant now = clock.instant();
    Optional<Ulid> ulid = Ulid.tryParse(text);
    if (ulid.isPresent()) {
      Inspector inspector = new Inspector(ulid.get(), now, false, Crockford32::span);
      return inspector.readings(Ranking.ofCrockford(ulid.get(), now));
    }
    Optional<HexNotation> notation =
        HexNotation.byLengthOf(text).filter(known -> known != HexNotation.PAIRS);
    Optional<UUID> uuid = notation.flatMap(known -> known.decode(text));
    if (uuid.isPresent()) {
      Spans spans = notation.get()::span;
      Inspector inspector = new Inspector(Ulid.of(uuid.get()), now, true, spans);
      return inspector.readings(Ranking.ofUuid(uuid.get(), now));
    }
    return List.of();
  }

  private List<Reading> readings(List<Layout> layouts) {
    return layouts.stream().map(this::reading).toList();
  }

  private Reading reading(Layout layout) {
    return new Reading(
        layout.kind(),
        layout.version(bits),
        layout.time(bits),
        forms(layout),
        fields(layout),
        warnings(layout));
  }

  private Map<Form, String> forms(Layout layout) {
    Map<Form, String> forms = new EnumMap<>(Form.class);
    for (Form form : Form.values()) {
      layout.write(bits, form).ifPresent(text -> forms.put(form, text));
    }
    return forms;
  }

  private List<Reading.Field> fields(Layout layout) {
    List<Reading.Field> fields = new ArrayList<>();
    int first = 0;
    for (Layout.Slot slot : layout.slots()) {
      int end = first + slot.width();
      fields.add(
          new Reading.Field(
              slot.name(),
              new Reading.Span(first, end),
              spans.of(first, end),
              Layout.value(bits, first, slot.width()),
              slot.meaning()));
      first = end;
    }
    return fields;
  }

  private List<String> warnings(Layout layout) {
    List<String> warnings = new ArrayList<>();
    if (layout == Layout.UUID_V7_DRAFT) {
      warnings.add("the format is that of a draft of 2021, not the version 7 of RFC 9562");
    }
    if (writtenAsUuid) {
      warnOfUnknownUuid(warnings);
    }
    String time = layout.time(bits).map(Form::timeText).orElse("");
    if (layout.isFromFuture(bits, now)) {
      warnings.add("the time " + time + " is in the future");
    }
    if (layout.isFromBefore(bits)) {
      warnings.add("the time " + time + " is before there were identifiers of this kind");
    }
    if (hasNoRandomness(layout)) {
      warnings.add("every random bit is zero");
    }
    return warnings;
  }

  private void warnOfUnknownUuid(List<String> warnings) {
    UUID uuid = bits.toUuid();
    switch (Layout.of(uuid)) {
      case UUID_OF_NO_VERSION ->
          warnings.add(Uuids.version(uuid) + " is not a version of RFC 9562: a UUID by look only");
      case UUID_OF_OTHER_VARIANT ->
          warnings.add("the variant is not that of RFC 9562: a UUID by look only");
      default -> {
        // Version and variant are in order.
      }
    }
  }

  private boolean hasNoRandomness(Layout layout) {
    boolean hasSome = false;
    int first = 0;
    for (Layout.Slot slot : layout.slots()) {
      if (slot.isRandom()) {
        hasSome = true;
        if (Layout.value(bits, first, slot.width()).signum() != 0) {
          return false;
        }
      }
      first += slot.width();
    }
    return hasSome;
  }
}
