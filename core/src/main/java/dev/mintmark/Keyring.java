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
 * The secrets of {@link Mask masks} and of what else is signed, the newest first, each under one
 * character that is its key's name.
 *
 * <pre>
 *   b:Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdCBhIGtleQ,a:...
 *   |  base64, plain or URL-safe, of 32 bytes or more       an older one, behind a comma
 *   name of the key: a Crockford digit
 * </pre>
 *
 * <p>What is new is made with the first; what was made with any is still read. To rotate, put a new
 * secret in front under a name that was never used; take one away once nothing made with it is
 * around any more.
 *
 * <p>A secret is known by the names of its key only: no message, {@link #toString} or accessor
 * gives it away. It belongs in the environment or a file of its own, never in the catalog. To make
 * one: {@code openssl rand -base64 32}.
 *
 * <p>Immutable, and so safe in any number of threads.
 *
 * <pre>{@code
 * Keyring keyring = Keyring.parse(System.getenv("MINTMARK_SECRET"));
 * }</pre>
 */
public final class Keyring {
  /** Bytes that a secret has at least: those of the keys that are made of it. */
  public static final int SECRET_BYTES_MIN = 32;

  /** Bytes that a secret has at most. */
  public static final int SECRET_BYTES_MAX = 1024;

  /** Characters of a keyring's text at most; all 32 keys, well spaced, fit in. */
  public static final int TEXT_LENGTH_MAX = 1 << 16;

  /** 32 random bytes have fewer once in 10^36 times; what somebody typed may well. */
  private static final int DIFFERENT_BYTES_MIN = 8;

  /** Characters of a key label at most. */
  public static final int LABEL_LENGTH_MAX = 63;

  private static final Pattern LABEL = Pattern.compile("[a-z][a-z0-9-]{0,62}");

  /** Stands before the label; what a mask's keys are derived by starts otherwise. */
  private static final String KEY_PURPOSE = "mintmark key v1 ";

  private static final String NAMES = "0123456789abcdefghjkmnpqrstvwxyz";

  /** What {@link Hkdf#extract} made of each secret. */
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
   * @throws IllegalArgumentException if the name is no such digit, or the secret is too short, too
   *     long, or has fewer than 8 different bytes
   */
  public static Keyring of(char key, byte[] secret) {
    return new Keyring(Map.of()).withOlder(key, secret);
  }

  /**
   * Reads {@code NAME:SECRET}, or several behind commas, the newest first; spaces and line ends
   * around each do no harm.
   *
   * @throws IllegalArgumentException if it is not of this form, or as {@link #withOlder} does
   */
  public static Keyring parse(String text) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "malformed keyring: it has %d characters: expected %d at most"
              .formatted(text.length(), TEXT_LENGTH_MAX));
    }
    Keyring keyring = new Keyring(Map.of());
    String[] entries = text.split(",", -1);
    for (int i = 0; i < entries.length; i++) {
      String entry = entries[i].strip();
      if (entry.indexOf(':') != 1) {
        throw new IllegalArgumentException(
            "malformed keyring: entry %d of %d: expected NAME:SECRET with a name of one character"
                .formatted(i + 1, entries.length));
      }
      char key = entry.charAt(0);
      keyring = keyring.withOlder(key, secret(key, entry.substring(2).strip()));
    }
    return keyring;
  }

  /**
   * Returns this keyring with one more secret behind the others, by which old texts are read.
   *
   * @throws IllegalArgumentException if the name or the secret is there already, or as {@link #of}
   *     does
   */
  public Keyring withOlder(char key, byte[] secret) {
    char name = canonicalName(key);
    checkStrength(name, secret);
    byte[] extracted = Hkdf.extract(Hkdf.NO_SALT, secret);
    if (secrets.containsKey(name)) {
      throw unfit(name, "the name is there already: expected one that was never used");
    }
    if (secrets.values().stream().anyMatch(known -> MessageDigest.isEqual(known, extracted))) {
      throw unfit(name, "its secret is there already, under another name: expected a new one");
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
   * Makes a key of 256 bits for one use out of the secret of that name: another label or another
   * secret, another key. None of them is a key of a {@link Mask}, and none tells anything of the
   * secret (HKDF with SHA-256, RFC 5869).
   *
   * @param key one of {@link #keys}
   * @param label what the key is for: {@value #LABEL_LENGTH_MAX} characters at most, of {@code
   *     a-z}, {@code 0-9} and {@code -}, starting with a letter
   * @throws IllegalArgumentException if there is no such key, or the label is no such text
   */
  public byte[] deriveKey(char key, String label) {
    if (!LABEL.matcher(label).matches()) {
      throw new IllegalArgumentException(
          "malformed key label %s: expected 1 to %d of a-z, 0-9 and '-', starting with a letter"
              .formatted(Quoted.of(label), LABEL_LENGTH_MAX));
    }
    return derive(key, (KEY_PURPOSE + label).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Makes a key of 256 bits for one purpose out of the secret of that name.
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
      throw unfit(key, "its secret is not base64"); // whose message would quote of the secret
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
          "its secret has %d bytes: expected %d to %d"
              .formatted(secret.length, SECRET_BYTES_MIN, SECRET_BYTES_MAX));
    }
    long different = IntStream.range(0, secret.length).map(i -> secret[i]).distinct().count();
    if (different < DIFFERENT_BYTES_MIN) {
      throw unfit(
          key,
          "its secret has %d different bytes: expected random ones, as of openssl rand -base64 32"
              .formatted(different));
    }
  }

  private static IllegalArgumentException unfit(char key, String why) {
    String quoted = Quoted.of(String.valueOf(key));
    return new IllegalArgumentException(
        "key '" + quoted.substring(1, quoted.length() - 1) + "': " + why);
  }
}
