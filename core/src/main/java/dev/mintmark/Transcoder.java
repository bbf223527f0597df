package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts identifiers from one {@link Form} to another in arrays of bytes, as in files and in the
 * rows of an engine. An {@link IdReader} says what they are taken for.
 *
 * <p>From {@link Form#UUID}, {@link Form#HEX}, {@link Form#TEXT} and {@link Form#LOWER} to one of
 * them and to {@link Form#TIME} it allocates nothing; all other forms are read and written as text.
 * The results and the errors are those of {@link IdReader#write}.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Transcoder toText = Transcoder.to(Form.TEXT);
 * byte[] text = new byte[toText.lengthMax()];
 * byte[] uuid = "017fe093-7adf-9932-aaaa-01fd0ba14d3f".getBytes(US_ASCII);
 * toText.transcode(uuid, 0, 36, text, 0);   // 26, and text holds 01FZG96YPZK4SANAG1ZM5T2K9Z
 * }</pre>
 */
public final class Transcoder {
  /** The result of {@link #transcode} for bytes that are not an identifier. */
  public static final int MALFORMED = -1;

  private static final int UUID_LENGTH = 36;
  private static final int HEX_LENGTH = HexNotation.DIGITS;
  private static final int TEXT_LENGTH = Crockford32.LENGTH;

  private static final byte[] NO_PREFIX = {};

  private static final Set<Form> WRITTEN_IN_PLACE =
      EnumSet.of(Form.UUID, Form.HEX, Form.TEXT, Form.LOWER, Form.TIME);

  private final IdReader reader;
  private final Form to;

  /** What bits are taken for that are written in place. */
  private final BitsRule rule;

  /** The forms that are read without creating a text. */
  private final boolean readsUuid;

  private final boolean readsHex;
  private final boolean readsText;

  /** The text before every written identifier, in ASCII. */
  private final byte[] prefix;

  /** The most bytes that are written after it. */
  private final int formLengthMax;

  /** Converts every text in place of reader and form, if there is one. */
  private final @Nullable UnaryOperator<String> conversion;

  private Transcoder(UnaryOperator<String> conversion, int lengthMax) {
    this.reader = IdReader.ranked();
    this.to = Form.TEXT;
    this.prefix = NO_PREFIX;
    this.formLengthMax = lengthMax;
    this.rule = BitsRule.RANKED;
    this.readsUuid = false;
    this.readsHex = false;
    this.readsText = false;
    this.conversion = conversion;
  }

  private Transcoder(IdReader reader, Form to, byte[] prefix) {
    if (to.isOfCollection()) {
      throw new IllegalArgumentException(
          "form "
              + Quoted.of(to.label())
              + " needs a namespace and a collection: write them before another form");
    }
    this.conversion = null;
    this.reader = reader;
    this.to = to;
    this.prefix = prefix;
    this.formLengthMax = formLengthMax(to);
    this.rule = reader.rule().orElse(BitsRule.RANKED);
    boolean inPlace = WRITTEN_IN_PLACE.contains(to) && reader.rule().isPresent();
    this.readsUuid = inPlace && reader.form().map(form -> form == Form.UUID).orElse(true);
    this.readsHex = inPlace && reader.form().map(form -> form == Form.HEX).orElse(true);
    this.readsText =
        inPlace && reader.form().map(form -> form == Form.TEXT || form == Form.LOWER).orElse(true);
  }

  /**
   * Returns a transcoder that reads any identifier, as {@link IdReader#ranked} does.
   *
   * @throws IllegalArgumentException if {@code to} is {@linkplain Form#isOfCollection of a
   *     collection}
   */
  public static Transcoder to(Form to) {
    return of(IdReader.ranked(), to);
  }

  /**
   * Returns a transcoder that reads a single form.
   *
   * @throws IllegalArgumentException if {@code from} is not {@linkplain Form#isReadable()
   *     readable}, or {@code to} is {@linkplain Form#isOfCollection of a collection}
   */
  public static Transcoder of(Form from, Form to) {
    return of(IdReader.of(from), to);
  }

  /**
   * Returns a transcoder of identifiers that a reader reads.
   *
   * @throws IllegalArgumentException if {@code to} is {@linkplain Form#isOfCollection of a
   *     collection}
   */
  public static Transcoder of(IdReader reader, Form to) {
    return new Transcoder(reader, to, NO_PREFIX);
  }

  /**
   * Returns a transcoder that converts each text with a function, for what depends on more than 128
   * bits: pURIs of several collections, the faces of a {@link Mask}. It allocates for each text.
   *
   * @param conversion returns ASCII, at most {@code lengthMax} characters, or throws {@link
   *     MalformedIdException}; called by one thread or several
   * @param lengthMax 1 or more
   */
  public static Transcoder ofTexts(UnaryOperator<String> conversion, int lengthMax) {
    if (lengthMax < 1) {
      throw new IllegalArgumentException("length " + lengthMax + ": expected 1 or more");
    }
    return new Transcoder(conversion, lengthMax);
  }

  /**
   * Returns this with another reader.
   *
   * @throws IllegalStateException if it converts texts with a function, which reads them
   */
  public Transcoder reading(IdReader other) {
    checkForm();
    return new Transcoder(other, to, prefix);
  }

  /**
   * Returns this with a text before each written identifier: the start of a pURI or a {@link
   * TypeId}. It is written before the text of an earlier call.
   *
   * @throws IllegalArgumentException if it has a character that a {@link Puri} cannot have: not
   *     ASCII letters, digits and {@code - . _ ~ % :}
   * @throws IllegalStateException if it converts texts with a function, which writes them
   */
  public Transcoder withPrefix(String prefix) {
    checkForm();
    if (!prefix.matches("[-A-Za-z0-9._~%:]*")) {
      throw new IllegalArgumentException(
          "prefix " + Quoted.of(prefix) + ": expected letters, digits and - . _ ~ % :");
    }
    String earlier = new String(this.prefix, StandardCharsets.US_ASCII);
    return new Transcoder(reader, to, (prefix + earlier).getBytes(StandardCharsets.US_ASCII));
  }

  private void checkForm() {
    if (conversion != null) {
      throw new IllegalStateException("a transcoder of a function has no reader and no prefix");
    }
  }

  /** The most bytes that {@link #transcode} writes. */
  public int lengthMax() {
    return prefix.length + formLengthMax;
  }

  private static int formLengthMax(Form to) {
    return switch (to) {
      case TEXT, LOWER -> TEXT_LENGTH;
      case UUID -> UUID_LENGTH;
      case HEX -> Layout.WIDTH_MAX / 4;
      case INT -> 49; // 2^160
      case BIN -> 130;
      case OCT -> 45;
      case FLOAT -> 24;
      case BYTES -> 3 * Layout.WIDTH_MAX / Byte.SIZE;
      case BASE64URL -> Base64Url.LENGTH;
      case TIME -> TimeText.LENGTH_MAX;
      case TIME_TEXT -> 10;
      case RANDOMNESS_TEXT -> 16;
      case TIME_LOW -> 10;
      case TIME_MID, TIME_HI_VERSION, CLOCK_SEQ -> 5;
      case CLOCK_SEQ_HI_VARIANT, CLOCK_SEQ_LOW -> 3;
      case NODE -> 15;
      case FIELDS -> 46;
      case PURI, COMPACT, MASK -> throw new IllegalStateException("refused before");
    };
  }

  /**
   * Reads the identifier in the {@code length} bytes of {@code source} from {@code start}, in
   * UTF-8, and writes it into {@code target} from {@code at}. The arrays may be the same only if
   * the two ranges do not overlap.
   *
   * @return the number of written bytes, or {@link #MALFORMED}; {@link #malformed} has the reason
   * @throws IndexOutOfBoundsException if {@code target} has no room for {@link #lengthMax} bytes
   */
  public int transcode(byte[] source, int start, int length, byte[] target, int at) {
    return noting(source, start, length, target, at, null);
  }

  /**
   * As above, and notes what the identifier is taken for if that matters: if the form is {@link
   * Form#TIME}.
   *
   * @param tally counts the identifiers
   */
  public int transcode(
      byte[] source, int start, int length, byte[] target, int at, ReadingTally tally) {
    return noting(source, start, length, target, at, tally);
  }

  private int noting(
      byte[] source, int start, int length, byte[] target, int at, @Nullable ReadingTally tally) {
    int written = behindPrefix(source, start, length, target, at + prefix.length, tally);
    if (prefix.length == 0 || written == MALFORMED) {
      return written;
    }
    System.arraycopy(prefix, 0, target, at, prefix.length);
    return prefix.length + written;
  }

  private int behindPrefix(
      byte[] source, int start, int length, byte[] target, int at, @Nullable ReadingTally tally) {
    int written = 0;
    if (length == UUID_LENGTH && readsUuid) {
      written = hyphenated(source, start, target, at, tally);
    } else if (length == TEXT_LENGTH && readsText) {
      written = crockford(source, start, target, at, tally);
    } else if (length == HEX_LENGTH && readsHex) {
      written = plain(source, start, target, at, tally);
    }
    return written == 0 ? throughText(source, start, length, target, at, tally) : written;
  }

  /**
   * Returns why {@link #transcode} returns {@link #MALFORMED} for these bytes.
   *
   * @throws IllegalArgumentException if it does not return that
   */
  public MalformedIdException malformed(byte[] source, int start, int length) {
    try {
      String written = written(source, start, length, null);
      throw new IllegalArgumentException("well formed: " + written);
    } catch (MalformedIdException e) {
      return e;
    }
  }

  /** Returns the number of written bytes; 0 if the bytes are not 36 characters of a UUID. */
  private int hyphenated(
      byte[] source, int start, byte[] target, int at, @Nullable ReadingTally tally) {
    if (source[start + 8] != '-'
        || source[start + 13] != '-'
        || source[start + 18] != '-'
        || source[start + 23] != '-') {
      return 0;
    }
    long first = HexNotation.eight(source, start);
    long second = HexNotation.eight(source, start + 9, start + 14);
    long third = HexNotation.eight(source, start + 19, start + 24);
    long fourth = HexNotation.eight(source, start + 28);
    return written(first, second, third, fourth, target, at, tally);
  }

  private int plain(byte[] source, int start, byte[] target, int at, @Nullable ReadingTally tally) {
    long first = HexNotation.eight(source, start);
    long second = HexNotation.eight(source, start + 8);
    long third = HexNotation.eight(source, start + 16);
    long fourth = HexNotation.eight(source, start + 24);
    return written(first, second, third, fourth, target, at, tally);
  }

  /** Writes numbers of 32 bits each, if none is negative. */
  private int written(
      long first,
      long second,
      long third,
      long fourth,
      byte[] target,
      int at,
      @Nullable ReadingTally tally) {
    boolean fits = (first | second | third | fourth) >= 0;
    return fits ? write(first << 32 | second, third << 32 | fourth, rule, target, at, tally) : 0;
  }

  private int crockford(
      byte[] source, int start, byte[] target, int at, @Nullable ReadingTally tally) {
    long time = Crockford32.digits(source, start, 10);
    long upper = Crockford32.digits(source, start + 10, 8);
    long lower = Crockford32.digits(source, start + 18, 8);
    boolean fits = time >>> 48 == 0 && (upper | lower) >= 0;
    // The text of a ULID is a ULID, if nothing else is declared.
    BitsRule taken = rule == BitsRule.RANKED ? BitsRule.ULID : rule;
    return fits
        ? write(time << 16 | upper >>> 24, upper << 40 | lower, taken, target, at, tally)
        : 0;
  }

  private int write(
      long high, long low, BitsRule taken, byte[] target, int at, @Nullable ReadingTally tally) {
    switch (to) {
      case TIME -> {
        return writeTime(high, low, taken, target, at, tally);
      }
      case TEXT -> Crockford32.encode(high, low, target, at);
      case LOWER -> Crockford32.encodeLower(high, low, target, at);
      case HEX -> {
        HexNotation.encode(high, 16, target, at);
        HexNotation.encode(low, 16, target, at + 16);
        return HEX_LENGTH;
      }
      default -> HexNotation.encodeHyphenated(high, low, target, at);
    }
    return formLengthMax;
  }

  private static int writeTime(
      long high, long low, BitsRule taken, byte[] target, int at, @Nullable ReadingTally tally) {
    long now = taken == BitsRule.RANKED ? System.currentTimeMillis() : 0;
    Layout layout = taken.layout(high, low, now);
    if (tally != null) {
      tally.note(layout);
    }
    long millis = layout.highTime().millis(high);
    return millis == HighTime.NONE ? MALFORMED : TimeText.write(millis, target, at);
  }

  private int throughText(
      byte[] source, int start, int length, byte[] target, int at, @Nullable ReadingTally tally) {
    byte[] written;
    try {
      written = written(source, start, length, tally).getBytes(StandardCharsets.US_ASCII);
    } catch (MalformedIdException e) {
      return MALFORMED;
    }
    System.arraycopy(written, 0, target, at, written.length);
    return written.length;
  }

  private String written(byte[] source, int start, int length, @Nullable ReadingTally tally) {
    String text = Utf8.read(source, start, length);
    if (conversion != null) {
      return conversion.apply(text);
    }
    Decoded decoded = reader.read(text, to == Form.TIME);
    if (tally != null && to == Form.TIME) {
      tally.note(decoded.layout());
    }
    return decoded.write(to, text);
  }
}
