package dev.mintmark;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Which layouts 128 bits may have, the most likely first. The bits of a ULID do not say that they
 * are one, and one in 64 carries the version and variant of a UUIDv4 by chance; so what counts is
 * how the identifier was written, and whether the time it would carry can be that of its making.
 *
 * <p><b>Written in Crockford's base 32</b>, as hardly anybody writes a UUID:
 *
 * <ol>
 *   <li>a ULID, whatever its time;
 *   <li>the UUID that version and variant tell, if RFC 9562 knows it; and the draft of version 7.
 * </ol>
 *
 * <p><b>Written as a UUID</b>, as databases write both:
 *
 * <ol>
 *   <li>the UUID that version and variant tell, if RFC 9562 knows it;
 *   <li>a UUIDv7 as an early draft had it, if that gives a plausible time;
 *   <li>a ULID, if that gives a plausible time;
 *   <li>a UUID of unknown version or variant, if it is none of the RFC.
 * </ol>
 *
 * <p>Within either list a reading with an implausible time goes behind all others. Plausible is a
 * time from when the layout may have come into use (1990, for the draft 2021) to one day from now.
 * A layout without a time is neither for nor against itself: it counts as plausible.
 */
final class Ranking {
  private static final int MILLIS_PER_SECOND = 1000;

  private Ranking() {}

  static List<Layout> ofCrockford(Ulid bits, Instant now) {
    Layout told = Layout.of(bits.toUuid());
    List<Layout> uuids = new ArrayList<>();
    if (told.isOfRfc()) {
      uuids.add(told);
    }
    if (mayBeDraft(bits, now)) {
      uuids.add(Layout.UUID_V7_DRAFT);
    }
    uuids.sort(plausibleFirst(bits, now));
    uuids.add(0, Layout.ULID);
    return uuids;
  }

  static List<Layout> ofUuid(UUID uuid, Instant now) {
    Ulid bits = Ulid.of(uuid);
    Layout told = Layout.of(uuid);
    List<Layout> layouts = new ArrayList<>();
    if (told.isOfRfc()) {
      layouts.add(told);
    }
    if (mayBeDraft(bits, now)) {
      layouts.add(Layout.UUID_V7_DRAFT);
    }
    if (Layout.ULID.isPlausible(bits, now)) {
      layouts.add(Layout.ULID);
    }
    if (!told.isOfRfc()) {
      layouts.add(told);
    }
    layouts.sort(plausibleFirst(bits, now));
    return layouts;
  }

  private static boolean mayBeDraft(Ulid bits, Instant now) {
    return Layout.of(bits.toUuid()) == Layout.UUID_V7
        && (bits.timeMillis() & 0xFFFL) < MILLIS_PER_SECOND
        && Layout.UUID_V7_DRAFT.isPlausible(bits, now);
  }

  /** Keeps the order of those that are equally plausible, for {@link List#sort} is stable. */
  private static Comparator<Layout> plausibleFirst(Ulid bits, Instant now) {
    return Comparator.comparing(layout -> !layout.isPlausible(bits, now));
  }
}
