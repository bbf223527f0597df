package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Converts identifiers of 128 bits from one {@link Form} to another in arrays of bytes, as in files
 * and in the rows of an engine.
 *
 * <p>From and to {@link Form#UUID}, {@link Form#HEX}, {@link Form#TEXT} and {@link Form#LOWER} it
 * allocates nothing; all other forms are read and written as text. The results and the errors are
 * those of {@link Form#read} and {@link Form#write}.
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
      EnumSet.of(Form.UUID, Form.HEX, Form.TEXT, Form.LOWER);

  private final Optional<Form> from;
  private final Form to;

  /** The forms that are read without creating a text. */
  private final boolean readsUuid;

  private final boolean readsHex;
  private final boolean readsText;

  /** The text before every written identifier, in ASCII. */
  private final byte[] prefix;

  /** The most bytes that are written after it. */
  private final int formLengthMax;

  private Transcoder(Optional<Form> from, Form to, byte[] prefix) {
    if (to == Form.PURI) {
      throw new IllegalArgumentException(
          "form \"puri\" needs a namespace and a collection: write them before another form");
    }
    this.from = from;
    this.to = to;
    this.prefix = prefix;
    this.formLengthMax = formLengthMax(to);
    boolean inPlace = WRITTEN_IN_PLACE.contains(to);
    this.readsUuid = inPlace && from.map(form -> form == Form.UUID).orElse(true);
    this.readsHex = inPlace && from.map(form -> form == Form.HEX).orElse(true);
    this.readsText =
        inPlace && from.map(form -> form == Form.TEXT || form == Form.LOWER).orElse(true);
  }

  /**
   * Returns a transcoder that reads any form, as {@link Form#readAny} does.
   *
   * @throws IllegalArgumentException if {@code to} is {@link Form#PURI}
   */
  public static Transcoder to(Form to) {
    return new Transcoder(Optional.empty(), to, NO_PREFIX);
  }

  /**
   * Returns a transcoder that reads a single form.
   *
   * @throws IllegalArgumentException if {@code from} is not {@linkplain Form#isReadable()
   *     readable}, or {@code to} is {@link Form#PURI}
   */
  public static Transcoder of(Form from, Form to) {
    if (!from.isReadable()) {
      throw from.unreadable();
    }
    return new Transcoder(Optional.of(from), to, NO_PREFIX);
  }

  /**
   * Returns this with a text before each written identifier: the start of a pURI or a {@link
   * TypeId}. It is written before the text of an earlier call.
   *
   * @throws IllegalArgumentException if it has a character that a {@link Puri} cannot have: not
   *     ASCII letters, digits and {@code - . _ ~ % :}
   */
  public Transcoder withPrefix(String prefix) {
    if (!prefix.matches("[-A-Za-z0-9._~%:]*")) {
      throw new IllegalArgumentException(
          "prefix " + Quoted.of(prefix) + ": expected letters, digits and - . _ ~ % :");
    }
    String earlier = new String(this.prefix, StandardCharsets.US_ASCII);
    return new Transcoder(from, to, (prefix + earlier).getBytes(StandardCharsets.US_ASCII));
  }

  /** The most bytes that {@link #transcode} writes. */
  public int lengthMax() {
    return prefix.length + formLengthMax;
  }

  private static int formLengthMax(Form to) {
    return switch (to) {
      case TEXT, LOWER -> TEXT_LENGTH;
      case UUID -> UUID_LENGTH;
      case HEX -> HEX_LENGTH;
      case INT -> 39;
      case BIN -> 130;
      case OCT -> 45;
      case FLOAT -> 24;
      case BYTES -> 47;
      case BASE64URL -> Base64Url.LENGTH;
      case TIME -> 27;
      case TIME_TEXT -> 10;
      case RANDOMNESS_TEXT -> 16;
      case PURI -> throw new IllegalStateException("refused before");
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
    int written = behindPrefix(source, start, length, target, at + prefix.length);
    if (prefix.length == 0 || written == MALFORMED) {
      return written;
    }
    System.arraycopy(prefix, 0, target, at, prefix.length);
    return prefix.length + written;
  }

  private int behindPrefix(byte[] source, int start, int length, byte[] target, int at) {
    if (length == UUID_LENGTH && readsUuid) {
      if (hyphenated(source, start, target, at)) {
        return formLengthMax;
      }
    } else if (length == TEXT_LENGTH && readsText) {
      if (crockford(source, start, target, at)) {
        return formLengthMax;
      }
    } else if (length == HEX_LENGTH && readsHex && plain(source, start, target, at)) {
      return formLengthMax;
    }
    return throughText(source, start, length, target, at);
  }

  /**
   * Returns why {@link #transcode} returns {@link #MALFORMED} for these bytes.
   *
   * @throws IllegalArgumentException if it does not return that
   */
  public MalformedIdException malformed(byte[] source, int start, int length) {
    try {
      Ulid id = read(source, start, length);
      throw new IllegalArgumentException("well formed: " + id);
    } catch (MalformedIdException e) {
      return e;
    }
  }

  private boolean hyphenated(byte[] source, int start, byte[] target, int at) {
    if (source[start + 8] != '-'
        || source[start + 13] != '-'
        || source[start + 18] != '-'
        || source[start + 23] != '-') {
      return false;
    }
    long first = HexNotation.eight(source, start);
    long second = HexNotation.eight(source, start + 9, start + 14);
    long third = HexNotation.eight(source, start + 19, start + 24);
    long fourth = HexNotation.eight(source, start + 28);
    return written(first, second, third, fourth, target, at);
  }

  private boolean plain(byte[] source, int start, byte[] target, int at) {
    long first = HexNotation.eight(source, start);
    long second = HexNotation.eight(source, start + 8);
    long third = HexNotation.eight(source, start + 16);
    long fourth = HexNotation.eight(source, start + 24);
    return written(first, second, third, fourth, target, at);
  }

  /** Writes numbers of 32 bits each, if none is negative. */
  private boolean written(long first, long second, long third, long fourth, byte[] target, int at) {
    boolean fits = (first | second | third | fourth) >= 0;
    if (fits) {
      write(first << 32 | second, third << 32 | fourth, target, at);
    }
    return fits;
  }

  private boolean crockford(byte[] source, int start, byte[] target, int at) {
    long time = Crockford32.digits(source, start, 10);
    long upper = Crockford32.digits(source, start + 10, 8);
    long lower = Crockford32.digits(source, start + 18, 8);
    boolean fits = time >>> 48 == 0 && (upper | lower) >= 0;
    if (fits) {
      write(time << 16 | upper >>> 24, upper << 40 | lower, target, at);
    }
    return fits;
  }

  private void write(long high, long low, byte[] target, int at) {
    switch (to) {
      case TEXT -> Crockford32.encode(high, low, target, at);
      case LOWER -> Crockford32.encodeLower(high, low, target, at);
      case HEX -> {
        HexNotation.encode(high, 16, target, at);
        HexNotation.encode(low, 16, target, at + 16);
      }
      default -> HexNotation.encodeHyphenated(high, low, target, at);
    }
  }

  private int throughText(byte[] source, int start, int length, byte[] target, int at) {
    Ulid id;
    try {
      id = read(source, start, length);
    } catch (MalformedIdException e) {
      return MALFORMED;
    }
    byte[] written = to.write(id).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(written, 0, target, at, written.length);
    return written.length;
  }

  private Ulid read(byte[] source, int start, int length) {
    String text = new String(source, start, length, StandardCharsets.UTF_8);
    return from.map(form -> form.read(text)).orElseGet(() -> Form.readAny(text));
  }
}
