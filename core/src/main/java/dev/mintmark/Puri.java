package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A pseudo-URI: an identifier with its namespace and collection.
 *
 * <pre>
 *   bobsburgers : meats : chicken-prime
 *   namespace     collection   identifier
 *   who owns it   what it is   which one
 * </pre>
 *
 * <p><b>Text.</b> Three segments, none empty, each percent-encoded as in RFC 3986 section 2.1: the
 * unreserved characters (letters, digits, {@code -}, {@code .}, {@code _}, {@code ~}) are written
 * unchanged, all others, including {@code :} and {@code %}, as the {@code %XX} of their UTF-8
 * bytes. The others that a segment of a path may have in RFC 3986 section 3.3 ({@code ! $ & ' ( ) *
 * + , ; = @}) are also read without an escape. Nothing is decoded twice, and the contents of a
 * segment are not interpreted. {@link #toString} writes only necessary escapes, and at most {@value
 * #LENGTH_MAX} characters.
 *
 * <p><b>Equality.</b> Two pURIs are equal if their three segments are equal. Namespaces and
 * collections ignore the case of {@code A-Z}; identifiers do not, because only the collection
 * determines whether case is significant. {@link Puris#resolve} normalizes pURIs of a catalog. Only
 * ASCII letters are folded, and Unicode is not normalized.
 *
 * <p><b>Unchanged.</b> Letters keep their case, so that a pURI from elsewhere is returned as it
 * came, except for its escapes. {@link #canonical} is the same for all equal pURIs.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Puri puri = Puri.parse("SoundCloud:tracks:a%3ab");
 * puri.identifier();                                     // a:b
 * puri.toString();                                       // SoundCloud:tracks:a%3Ab
 * puri.canonical().toString();                           // soundcloud:tracks:a%3Ab
 * puri.equals(Puri.of("soundcloud", "tracks", "a:b"));   // true
 * }</pre>
 */
public final class Puri implements Serializable {
  /** The most characters that a pURI has, percent-encoded. */
  public static final int LENGTH_MAX = 1024;

  private static final long serialVersionUID = 1L;

  private static final HexFormat ESCAPES = HexFormat.of().withUpperCase();

  private final String namespace;
  private final String collection;
  private final String identifier;
  private final String text;

  /** The text of {@link #canonical}: the same object if the texts are equal. */
  private final String canonicalText;

  private Puri(String namespace, String collection, String identifier) {
    this.namespace = namespace;
    this.collection = collection;
    this.identifier = identifier;
    this.text = encode(namespace) + ":" + encode(collection) + ":" + encode(identifier);
    String lowerNamespace = AsciiCase.lower(namespace);
    String lowerCollection = AsciiCase.lower(collection);
    boolean isLower = lowerNamespace.equals(namespace) && lowerCollection.equals(collection);
    this.canonicalText =
        isLower
            ? text
            : encode(lowerNamespace) + ":" + encode(lowerCollection) + ":" + encode(identifier);
  }

  /**
   * Makes a pURI of its three segments, which must not be percent-encoded.
   *
   * @throws MalformedIdException if a segment is empty, is not Unicode (a lone surrogate), or the
   *     whole exceeds {@value #LENGTH_MAX} characters
   */
  public static Puri of(String namespace, String collection, String identifier) {
    Puri puri =
        new Puri(
            checked("namespace", namespace),
            checked("collection", collection),
            checked("identifier", identifier));
    if (puri.text.length() > LENGTH_MAX) {
      throw tooLong(puri.text);
    }
    return puri;
  }

  /**
   * Reads a pURI. Escapes may be in either letter case, and may be unnecessary.
   *
   * @throws MalformedIdException if there are not three segments, one is empty, a character should
   *     be percent-encoded, an escape is incomplete or not UTF-8, or it exceeds {@value
   *     #LENGTH_MAX} characters, as it is read or as {@link #toString} writes it
   */
  public static Puri parse(String text) {
    if (text.length() > LENGTH_MAX) {
      throw tooLong(text);
    }
    String[] segments = text.split(":", -1);
    if (segments.length != 3) {
      throw malformed(
          text,
          "it has " + segments.length + " segments: expected namespace:collection:identifier");
    }
    List<String> decoded = new ArrayList<>();
    int start = 0;
    for (String segment : segments) {
      decoded.add(decode(text, start, start + segment.length()));
      start += segment.length() + 1;
    }
    Puri puri = new Puri(decoded.get(0), decoded.get(1), decoded.get(2));
    if (puri.text.length() > LENGTH_MAX) {
      throw malformed(
          text,
          "it has %s characters with the necessary escapes: expected at most %s"
              .formatted(puri.text.length(), LENGTH_MAX));
    }
    return puri;
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static Puri valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<Puri> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /** The owner of the object: decoded, in its original case; compare with {@link #sameOwner}. */
  public String namespace() {
    return namespace;
  }

  /** The type of the object: decoded, in its original case; compare with {@link #sameType}. */
  public String collection() {
    return collection;
  }

  /** The identifier of the object in its collection: decoded and opaque. */
  public String identifier() {
    return identifier;
  }

  /**
   * Whether both objects have one owner: the namespaces are equal, whatever the case of {@code
   * A-Z}.
   */
  public boolean sameOwner(Puri other) {
    return AsciiCase.lower(namespace).equals(AsciiCase.lower(other.namespace));
  }

  /**
   * Whether both objects have one owner and one type: namespaces and collections are equal,
   * whatever the case of {@code A-Z}. Aliases are resolved by {@link Puris#resolve}.
   */
  public boolean sameType(Puri other) {
    return names().equals(other.names());
  }

  /** The same pURI with {@code A-Z} of its namespace and collection in lower case. */
  public Puri canonical() {
    return canonicalText.equals(text)
        ? this
        : new Puri(AsciiCase.lower(namespace), AsciiCase.lower(collection), identifier);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Puri puri && puri.canonicalText.equals(canonicalText);
  }

  @Override
  public int hashCode() {
    return canonicalText.hashCode();
  }

  /** The text with only necessary escapes, in upper case, and letters in their original case. */
  @Override
  @JsonValue
  public String toString() {
    return text;
  }

  /**
   * The namespace and the collection as {@link #canonical} writes them, with a colon between them.
   */
  String names() {
    return canonicalText.substring(0, canonicalText.lastIndexOf(':'));
  }

  private static String checked(String name, String segment) {
    if (segment.isEmpty()) {
      throw new MalformedIdException("malformed pURI: its " + name + " is empty");
    }
    if (segment.length() > LENGTH_MAX) {
      throw tooLong(segment);
    }
    if (!Unicode.isWellFormed(segment)) {
      throw new MalformedIdException(
          "malformed pURI: its " + name + " " + Quoted.of(segment) + " is not Unicode");
    }
    return segment;
  }

  /** Percent-encodes all characters that are not unreserved. */
  static String encode(String segment) {
    StringBuilder encoded = new StringBuilder(segment.length());
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      if (isUnreserved((char) b)) {
        encoded.append((char) b);
      } else {
        encoded.append('%');
        ESCAPES.toHexDigits(encoded, b);
      }
    }
    return encoded.toString();
  }

  /**
   * Decodes the segment of {@code text} from {@code start} to before {@code end}.
   *
   * @throws MalformedIdException if it is empty or not percent-encoded UTF-8
   */
  static String decode(String text, int start, int end) {
    if (start == end) {
      throw malformed(text, "the segment at character " + start + " is empty");
    }
    ByteBuffer bytes = ByteBuffer.allocate(end - start);
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.put(escapedByte(text, i, end));
        i += 2;
      } else if (isUnreserved(c) || "!$&'()*+,;=@".indexOf(c) >= 0) { // RFC 3986: pchar
        bytes.put((byte) c);
      } else {
        throw malformed(text, Malformed.character(text, i) + " must be percent-encoded");
      }
    }
    try {
      CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes.flip());
      return decoded.toString();
    } catch (CharacterCodingException e) {
      throw malformed(text, "the escapes in the segment at character " + start + " are not UTF-8");
    }
  }

  private static byte escapedByte(String text, int percent, int end) {
    boolean complete =
        percent + 2 < end
            && HexFormat.isHexDigit(text.charAt(percent + 1))
            && HexFormat.isHexDigit(text.charAt(percent + 2));
    if (!complete) {
      throw malformed(
          text, Malformed.character(text, percent) + " does not start an escape such as %3A");
    }
    return (byte) HexFormat.fromHexDigits(text, percent + 1, percent + 3);
  }

  /** RFC 3986 section 2.3. */
  private static boolean isUnreserved(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || "-._~".indexOf(c) >= 0;
  }

  private static MalformedIdException tooLong(String text) {
    return malformed(
        text, "it has " + text.length() + " characters: expected at most " + LENGTH_MAX);
  }

  private static MalformedIdException malformed(String text, String why) {
    return Malformed.because("pURI", text, why);
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
