package dev.mintmark.postgres.page;

import dev.mintmark.Keyring;
import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads cursors as text. They are signed, so that clients can neither forge nor alter
 * them.
 *
 * <pre>
 *   | version | key name | pages | cluster | history | state | signature |
 *   |    1    |    1     |  16   |    8    |         |       |    16     |  bytes, as base64url
 * </pre>
 *
 * <p>Version 2 has a {@link HistoryPoint}; version 1 has none. Orders that count no transactions
 * write version 1. Earlier releases wrote it in all orders, and their cursors still continue: only
 * their transactions are compared with those of the server.
 *
 * <p>{@code pages} and {@code cluster} are hashes of the pages and the cluster that the cursor
 * belongs to. These two and the signature are HMAC-SHA-256, cut to their length, under a key that
 * is derived from the secret with that name in the {@link Keyring}. The newest secret signs new
 * cursors; cursors of every secret are accepted. The state is signed, not encrypted. It contains
 * the values of one row in the columns of the order.
 *
 * <p>Immutable; safe for use by many threads.
 */
final class Cursors {
  /** The maximum number of characters of a cursor. */
  static final int LENGTH_MAX = 4096;

  private static final byte WITHOUT_HISTORY = 1;
  private static final byte WITH_HISTORY = 2;
  private static final int PAGES_BYTES = 16;
  private static final int CLUSTER_BYTES = 8;
  private static final int SIGNATURE_BYTES = 16;
  private static final int HEAD_BYTES = 2 + PAGES_BYTES + CLUSTER_BYTES;

  private static final String HMAC = "HmacSHA256";
  private static final String KEY_LABEL = "page-cursors";

  private final Map<Character, SecretKeySpec> keys = new LinkedHashMap<>();
  private final char newest;

  Cursors(Keyring keyring) {
    keyring
        .keys()
        .forEach(
            name -> keys.put(name, new SecretKeySpec(keyring.deriveKey(name, KEY_LABEL), HMAC)));
    newest = keyring.keys().get(0);
  }

  /** A cursor with a valid signature. It may belong to other pages. */
  record Opened(
      char key, String pages, String cluster, Optional<HistoryPoint> history, CursorState state) {}

  /** Writes a cursor of these pages. */
  String write(PageTable table, String pages, Origin origin, CursorState state) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(origin.history().isPresent() ? WITH_HISTORY : WITHOUT_HISTORY);
      out.writeByte(newest);
      out.write(hmac(newest, 'p', PAGES_BYTES, pages.getBytes(StandardCharsets.UTF_8)));
      out.write(
          hmac(newest, 'c', CLUSTER_BYTES, origin.cluster().getBytes(StandardCharsets.UTF_8)));
      if (origin.history().isPresent()) {
        origin.history().get().write(out);
      }
      state.write(out);
      out.write(hmac(newest, 's', SIGNATURE_BYTES, bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = encoded(bytes.toByteArray());
    if (text.length() > LENGTH_MAX) {
      throw table.refused(
          Condition.CURSOR_LENGTH,
          "the cursor would have %s characters: expected at most %s; order by shorter columns, or reduce the number of open transactions"
              .formatted(text.length(), LENGTH_MAX));
    }
    return text;
  }

  /**
   * Reads a cursor that was signed with any key of the keyring.
   *
   * @throws CursorException if it was not, with a reason from {@link Reason#MALFORMED} to {@link
   *     Reason#TAMPERED}
   */
  Opened open(String text) {
    byte[] bytes = bytes(text);
    if (bytes.length == 0 || (bytes[0] != WITHOUT_HISTORY && bytes[0] != WITH_HISTORY)) {
      throw new CursorException(
          Reason.UNKNOWN_VERSION,
          "its version is not %s or %s, the supported versions"
              .formatted(WITHOUT_HISTORY, WITH_HISTORY));
    }
    if (bytes.length < HEAD_BYTES + SIGNATURE_BYTES) {
      throw new CursorException(Reason.MALFORMED, "it is too short: part of it may be missing");
    }
    char key = (char) bytes[1];
    if (!keys.containsKey(key)) {
      throw new CursorException(
          Reason.UNKNOWN_KEY, "it was signed with a key that is not one of " + keys.keySet());
    }
    int end = bytes.length - SIGNATURE_BYTES;
    byte[] signature = hmac(key, 's', SIGNATURE_BYTES, Arrays.copyOf(bytes, end));
    if (!MessageDigest.isEqual(signature, Arrays.copyOfRange(bytes, end, bytes.length))) {
      throw new CursorException(
          Reason.TAMPERED, "it was altered, or signed with another secret than key '" + key + "'");
    }
    return content(bytes, end);
  }

  /** Checks that a cursor belongs to these pages. */
  void requirePages(Opened cursor, String pages) {
    if (!cursor.pages().equals(digest(cursor.key(), 'p', PAGES_BYTES, pages))) {
      throw new CursorException(
          Reason.OTHER_PAGES, "it belongs to another database, table, scope, condition or order");
    }
  }

  /** Checks that a cursor belongs to this cluster. */
  void requireCluster(Opened cursor, Origin server) {
    if (!cursor.cluster().equals(digest(cursor.key(), 'c', CLUSTER_BYTES, server.cluster()))) {
      throw new CursorException(
          Reason.OTHER_CLUSTER,
          "it counts the transactions of another cluster: start again from the first page");
    }
  }

  /** Returns the state of a cursor if it has the type of these pages. */
  static <S extends CursorState> Optional<S> state(Optional<Opened> cursor, Class<S> kind) {
    return cursor.map(Opened::state).filter(kind::isInstance).map(kind::cast);
  }

  private static byte[] bytes(String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      throw new CursorException(
          Reason.MALFORMED,
          "it has %s characters: expected 1 to %s".formatted(text.length(), LENGTH_MAX));
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      // Every cursor has only one text, without padding and without bits after the last byte.
      if (encoded(bytes).equals(text)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Fails below with the same exception.
    }
    throw new CursorException(Reason.MALFORMED, "it is not base64url");
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Opened content(byte[] bytes, int end) {
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(bytes, HEAD_BYTES, end - HEAD_BYTES))) {
      Optional<HistoryPoint> history =
          bytes[0] == WITH_HISTORY ? Optional.of(HistoryPoint.read(in)) : Optional.empty();
      CursorState state = CursorState.read(in);
      if (in.available() == 0) {
        return new Opened(
            (char) bytes[1],
            hex(bytes, 2, 2 + PAGES_BYTES),
            hex(bytes, 2 + PAGES_BYTES, HEAD_BYTES),
            history,
            state);
      }
    } catch (IOException | ArithmeticException e) {
      // The signature is valid, but this class did not write the content. Fails below.
    }
    throw new CursorException(Reason.MALFORMED, "its content cannot be read");
  }

  private String digest(char key, char use, int length, String content) {
    return hex(hmac(key, use, length, content.getBytes(StandardCharsets.UTF_8)), 0, length);
  }

  private static String hex(byte[] bytes, int from, int to) {
    return HexFormat.of().formatHex(bytes, from, to);
  }

  private byte[] hmac(char key, char use, int length, byte[] content) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(keys.get(key));
      mac.update((byte) use);
      return Arrays.copyOf(mac.doFinal(content), length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks " + HMAC, e); // every JVM must have it
    }
  }
}
