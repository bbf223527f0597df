package dev.mintmark;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reads pURIs: the reading of the pURI itself, then those of its identifier. */
final class PuriReading {
  /** A time of day and an IPv6 address have colons as well. */
  private static final Pattern NAMED = Pattern.compile("[A-Za-z][^:]*:[A-Za-z][^:]*:[^:]+");

  private static final Pattern COMPACT = Pattern.compile("[a-z0-9]+\\.[a-z0-9]+\\..+");

  private PuriReading() {}

  /**
   * Returns the readings of a pURI; none if the text is no pURI.
   *
   * @param puris the collections of the catalog, if there is one
   * @param formats the formats that it declares
   */
  static List<Reading> of(
      String text, Instant now, Optional<Puris> puris, DeclaredFormats formats) {
    if (text.indexOf(':') < 0) {
      return compact(text, now, puris, formats);
    }
    if (!NAMED.matcher(text).matches() || Puri.tryParse(text).isEmpty()) {
      return List.of();
    }
    Optional<Puri> resolved = puris.flatMap(known -> known.tryParse(text));
    boolean isKnown = resolved.isPresent() && puris.get().collection(resolved.get()).isPresent();
    int first = text.indexOf(':');
    int second = text.indexOf(':', first + 1);
    Reading whole =
        reading(
            text,
            isKnown
                ? "a pURI of a collection of the catalog"
                : "a pURI: three segments with colons",
            first,
            second,
            Map.of(Form.PURI, resolved.orElseGet(() -> Puri.parse(text)).toString()),
            List.of("namespace", "collection", "identifier"));
    return joined(whole, text, second + 1, now, formats);
  }

  private static List<Reading> compact(
      String text, Instant now, Optional<Puris> puris, DeclaredFormats formats) {
    if (!COMPACT.matcher(text).matches()) {
      return List.of();
    }
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    Optional<Puri> resolved = puris.flatMap(known -> known.tryParse(text));
    boolean hasBits =
        Notation.BASE64URL.decode(text.substring(second + 1)).isPresent(); // Else a host name.
    if (resolved.isEmpty() && !hasBits) {
      return List.of();
    }
    Reading whole =
        reading(
            text,
            resolved.isPresent()
                ? "a compact pURI of a collection of the catalog"
                : "a compact pURI: two codes and 22 digits of base64url",
            first,
            second,
            resolved.map(puri -> Map.of(Form.PURI, puri.toString())).orElse(Map.of()),
            List.of("namespace_code", "collection_code", "identifier"));
    return joined(whole, text, second + 1, now, formats);
  }

  private static List<Reading> joined(
      Reading whole, String text, int start, Instant now, DeclaredFormats formats) {
    List<Reading> all = new ArrayList<>(List.of(whole));
    for (Reading reading : Inspector.readings(text.substring(start), now, formats)) {
      all.add(reading.shifted(start).because("the identifier of the pURI: " + reading.reason()));
    }
    return all;
  }

  private static Reading reading(
      String text,
      String reason,
      int first,
      int second,
      Map<Form, String> forms,
      List<String> names) {
    return new Reading(
        "puri",
        reason,
        OptionalInt.empty(),
        Optional.empty(),
        forms,
        List.of(
            field(names.get(0), text, 0, first, "who owns it"),
            field(names.get(1), text, first + 1, second, "what it is"),
            field(names.get(2), text, second + 1, text.length(), "which one")),
        List.of());
  }

  private static Reading.Field field(String name, String text, int start, int end, String meaning) {
    byte[] bytes = text.substring(start, end).getBytes(StandardCharsets.UTF_8);
    return new Reading.Field(
        name,
        new Reading.Span(start * Byte.SIZE, end * Byte.SIZE),
        new Reading.Span(start, end),
        new BigInteger(1, bytes),
        meaning + ", 8 bits per character");
  }
}
