package dev.mintmark;

import java.time.Instant;
import java.util.List;

/**
 * The formats of a catalog, for {@link Inspector}. Immutable, and safe for threads.
 *
 * <p>A declared format that fits a text is a reading of it if its time is plausible, or if every
 * text of the format begins with the same two characters or more. It is before built-in formats for
 * which there is no better evidence: a number is first a Snowflake of the catalog.
 *
 * <pre>{@code
 * DeclaredFormats formats = DeclaredFormats.of(catalog.formats());
 * List<Reading> readings = Inspector.inspect(text, clock, Puris.of(catalog), formats);
 * }</pre>
 */
public final class DeclaredFormats {
  /** No formats. */
  public static final DeclaredFormats NONE = new DeclaredFormats(List.of());

  /** The most formats of a catalog: each is compared with every text. */
  public static final int FORMATS_MAX = 64;

  /** The characters with which a pattern begins if hardly any other kind has it. */
  private static final int START_LENGTH_MIN = 2;

  private final List<Row> rows;

  private DeclaredFormats(List<FormatSpec> formats) {
    this.rows = formats.stream().map(Row::of).toList();
  }

  /** A format, ready to be compared with texts. */
  record Row(Layout layout, Notation.Codec codec, String what, Evidence evidence) {
    static Row of(FormatSpec format) {
      return format.content() instanceof FormatSpec.Bits bits
          ? of(format.name(), bits)
          : of(format.name(), (FormatSpec.Shape) format.content());
    }

    private static Row of(String name, FormatSpec.Bits bits) {
      Evidence evidence = bits.prefix().isEmpty() ? Evidence.DECLARED : Evidence.NOTATION;
      Layout layout =
          Layout.inspected(
              name,
              Written.as(evidence, Notation.DECLARED),
              bits.scale(),
              bits.slots().toArray(Slot[]::new));
      return new Row(layout, bits.codec(), bits.what(), evidence);
    }

    private static Row of(String name, FormatSpec.Shape shape) {
      TextPattern pattern = TextPattern.parse(shape.pattern());
      Evidence evidence =
          pattern.start().length() < START_LENGTH_MIN ? Evidence.DECLARED : Evidence.NOTATION;
      Layout layout =
          Layout.shape(
              name,
              Written.as(evidence, Notation.DECLARED),
              Slot.plain(pattern.lengthMax() * Byte.SIZE, "text", "8 bits per character"));
      return new Row(layout, new Codecs.Patterned(pattern), "the pattern " + pattern, evidence);
    }

    /** Whether a text that nothing else marks as an identifier is one. */
    private boolean isDistinctive(String text, Instant now) {
      return (evidence == Evidence.NOTATION || Distinctive.isLongNumber(text))
          && codec
              .decode(text)
              .filter(layout::fits)
              .filter(number -> layout.isPlausible(number, now))
              .filter(number -> evidence == Evidence.NOTATION || layout.time(number).isPresent())
              .isPresent();
    }
  }

  /**
   * Returns the formats, the first before the others if a text has several.
   *
   * @throws IllegalArgumentException if there are more than {@value #FORMATS_MAX}
   */
  public static DeclaredFormats of(List<FormatSpec> formats) {
    if (formats.size() > FORMATS_MAX) {
      throw new IllegalArgumentException(
          "%s formats: expected at most %s".formatted(formats.size(), FORMATS_MAX));
    }
    return formats.isEmpty() ? NONE : new DeclaredFormats(formats);
  }

  List<Row> rows() {
    return rows;
  }

  /** Whether a text in running text is an identifier of a format. */
  boolean isDistinctive(String text, Instant now) {
    return rows.stream().anyMatch(row -> row.isDistinctive(text, now));
  }
}
