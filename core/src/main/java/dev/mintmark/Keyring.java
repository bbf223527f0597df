package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The secrets of {@link Mask masks} and of other signed texts, the newest first. Each has a key
 * name of one character.
 *
 * <pre>
 *   b:Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdCBhIGtleQ,a:...
 *   |  base64, plain or URL-safe, of 32 bytes or more       an older one, after a comma
 *   name of the key: a Crockford digit
 * </pre>
 *
 * <p>New texts are made with the first secret; texts of all secrets are read. To rotate, put a new
 * secret first, under a name that was never used, and remove an old one when none of its texts are
 * in use.
 *
 * <p>No message, {@link #toString} or accessor reveals a secret, only the name of its key. Keep
 * secrets in the environment or in a separate file, never in the catalog. Create one with {@code
 * openssl rand -base64 32}.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Keyring keyring = Keyring.parse(System.getenv("MINTMARK_SECRET"));
 * }</pre>
 */
public final class Keyring {
  /** The fewest bytes of a secret: the length of the keys derived from it. */
  public static final int SECRET_BYTES_MIN = 32;

  /** The most bytes of a secret. */
  public static final int SECRET_BYTES_MAX = 1024;

  /** The most characters of the text; all 32 keys fit, also with spaces. */
  public static final int TEXT_LENGTH_MAX = 1 << 16;

  /** 32 random bytes have fewer with a probability of 10^-36; a typed text often has. */
  private static final int DIFFERENT_BYTES_MIN = 8;

  /** The most characters of a key label. */
  public static final int LABEL_LENGTH_MAX = 63;

  private static final Pattern LABEL = Pattern.compile("[a-z][a-z0-9-]{0,62}");

  /** Precedes the label; differs from the start of the input for a mask's keys. */
  private static final String KEY_PURPOSE = "mintmark key v1 ";

  private static final String NAMES = "0123456789abcdefghjkmnpqrstvwxyz";

  /** The result of {@link Hkdf#extract} for each secret. */
  private final Map<Character, byte[]> secrets;

  private Keyring(Map<Character, byte[]> secrets) {
    this.secrets = Collections.unmodifiableMap(secrets);
  }

  /**
   * Returns a keyring of one secret.
   *
   * @param key the name of its key: a digit of Crockford's base 32, in either letter case
   * @param secret {@value #SECRET_BYTES_MIN} to {@value #SECRET_BYTES_MAX} random bytes; they are
   *     not kept
   * @throws IllegalArgumentException if the name is not such a digit, or the secret is too short,
   *     too long, or has fewer than 8 different bytes
   */
  public static Keyring of(char key, byte[] secret) {
    return new Keyring(Map.of()).withOlder(key, secret);
  }

  /**
   * Reads {@code NAME:SECRET}, or several separated by commas, the newest first. Spaces and line
   * ends around each are ignored.
   *
   * @throws IllegalArgumentException if it is not of this form, or as {@link #withOlder} does
   */
  public static Keyring parse(String text) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "malformed keyring: it has %s characters: expected %s at most"
              .formatted(text.length(), TEXT_LENGTH_MAX));
    }
    Keyring keyring = new Keyring(Map.of());
    String[] entries = text.split(",", -1);
    for (int i = 0; i < entries.length; i++) {
      String entry = entries[i].strip();
      if (entry.indexOf(':') != 1) {
        throw new IllegalArgumentException(
            "malformed keyring: entry %s of %s: expected NAME:SECRET with a name of one character"
                .formatted(i + 1, entries.length));
      }
      char key = entry.charAt(0);
      keyring = keyring.withOlder(key, secret(key, entry.substring(2).strip()));
    }
    return keyring;
  }

  /**
   * Returns this keyring with an additional last secret, with which old texts are read.
   *
   * @throws IllegalArgumentException if the keyring already has the name or the secret, or as
   *     {@link #of} does
   */
  public Keyring withOlder(char key, byte[] secret) {
    char name = canonicalName(key);
    checkStrength(name, secret);
    byte[] extracted = Hkdf.extract(Hkdf.NO_SALT, secret);
    if (secrets.containsKey(name)) {
      throw unfit(name, "the keyring already has this name: expected a new one");
    }
    if (secrets.values().stream().anyMatch(known -> MessageDigest.isEqual(known, extracted))) {
      throw unfit(
          name, "the keyring already has its secret under another name: expected a new one");
    }
    Map<Character, byte[]> more = new LinkedHashMap<>(secrets);
    more.put(name, extracted);
    return new Keyring(more);
  }

  /** The names of the keys, the newest first, in lower case. */
  public List<Character> keys() {
    return List.copyOf(secrets.keySet());
  }

  /**
   * Derives a key of 256 bits for one purpose from a secret. Keys of different labels or secrets
   * are independent, differ from the keys of a {@link Mask}, and reveal nothing about the secret
   * (HKDF with SHA-256, RFC 5869).
   *
   * @param key one of {@link #keys}
   * @param label the purpose of the key: {@value #LABEL_LENGTH_MAX} characters at most, of {@code
   *     a-z}, {@code 0-9} and {@code -}, starting with a letter
   * @throws IllegalArgumentException if there is no such key, or the label is malformed
   */
  public byte[] deriveKey(char key, String label) {
    if (!LABEL.matcher(label).matches()) {
      throw new IllegalArgumentException(
          "malformed key label %s: expected 1 to %s of a-z, 0-9 and '-', starting with a letter"
              .formatted(Quoted.of(label), LABEL_LENGTH_MAX));
    }
    return derive(key, (KEY_PURPOSE + label).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Derives a key of 256 bits for one purpose from a secret.
   *
   * @param key one of {@link #keys}
   */
  byte[] derive(char key, byte[] purpose) {
    byte[] secret = secrets.get(key);
    if (secret == null) {
      throw new IllegalArgumentException("key '" + key + "' is not in " + this);
    }
    return Hkdf.expand(secret, purpose, 32);
  }

  /** The names of the keys, the newest first: {@code Keyring[b, a]}. */
  @Override
  public String toString() {
    return secrets.keySet().stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "Keyring[", "]"));
  }

  private static byte[] secret(char key, String base64) {
    String urlSafe = base64.replace('+', '-').replace('/', '_');
    try {
      return Base64.getUrlDecoder().decode(urlSafe);
    } catch (IllegalArgumentException e) {
      throw unfit(
          key, "its secret is not base64"); // the message of the cause would quote the secret
    }
  }

  private static char canonicalName(char key) {
    char lower = AsciiCase.lower(key);
    if (NAMES.indexOf(lower) < 0) {
      throw unfit(key, "expected its name to be one of " + NAMES);
    }
    return lower;
  }

  private static void checkStrength(char key, byte[] secret) {
    if (secret.length < SECRET_BYTES_MIN || secret.length > SECRET_BYTES_MAX) {
      throw unfit(
          key,
          "its secret has %s bytes: expected %s to %s"
              .formatted(secret.length, SECRET_BYTES_MIN, SECRET_BYTES_MAX));
    }
    long different = IntStream.range(0, secret.length).map(i -> secret[i]).distinct().count();
    if (different < DIFFERENT_BYTES_MIN) {
      throw unfit(
          key,
          "its secret has %s different bytes: expected random ones, as of openssl rand -base64 32"
              .formatted(different));
    }
  }

  private static IllegalArgumentException unfit(char key, String why) {
    String quoted = Quoted.of(String.valueOf(key));
    return new IllegalArgumentException(
        "key '" + quoted.substring(1, quoted.length() - 1) + "': " + why);
  }
}
