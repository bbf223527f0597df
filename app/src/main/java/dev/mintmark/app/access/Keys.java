package dev.mintmark.app.access;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The API keys in the database. A change and its entry in the audit are one transaction. Safe for
 * use by many threads.
 */
public final class Keys {
  /** Where the migrations of the tables of keys and of the audit are on the class path. */
  public static final String MIGRATIONS = "dev/mintmark/app/access/schema";

  /** The most keys that are not revoked: a server remembers all of them. */
  public static final int KEYS_MAX = 10_000;

  private static final AccessSql INSERT = AccessSql.load("insert_key");
  private static final AccessSql LIST = AccessSql.load("list_keys");
  private static final AccessSql REMEMBERED = AccessSql.load("remembered_keys");
  private static final AccessSql FIND = AccessSql.load("find_key");
  private static final AccessSql CREATED = AccessSql.load("created_key");
  private static final AccessSql REVOKE = AccessSql.load("revoke_key");
  private static final AccessSql TOUCH = AccessSql.load("touch_keys");

  private final AccessTables tables;
  private final SecureRandom entropy = new SecureRandom();

  private Keys(AccessTables tables) {
    this.tables = tables;
  }

  /** The keys of a database that has their tables. */
  public static Keys over(DataSource connections) {
    return new Keys(new AccessTables(connections));
  }

  /**
   * A key that was created.
   *
   * @param text the text, which is shown once and cannot be recovered
   */
  public record Created(ApiKey key, KeyText text) {}

  /** A key as it is stored. */
  static final class Stored {
    private final ApiKey key;
    private final byte[] hash;

    Stored(ApiKey key, byte[] hash) {
      this.key = key;
      this.hash = hash;
    }

    ApiKey key() {
      return key;
    }

    /** Whether this is the key with this text. Takes the same time wherever they differ. */
    boolean matches(KeyText text) {
      return MessageDigest.isEqual(hash, text.hash());
    }
  }

  /**
   * Creates a key.
   *
   * @param idempotencyKey names the request: the same actor creates one key with it
   * @param creation what the audit says about it; the target becomes the key
   * @throws KeyCreatedException if the actor has created a key with that name of a request
   * @throws IllegalArgumentException if there are {@value #KEYS_MAX} keys
   * @throws AccessUnavailableException if the database fails
   */
  public Created create(
      KeyRequest request, Optional<String> idempotencyKey, AuditEntry creation, String outcome) {
    KeyText text = KeyText.mint(entropy);
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("key_id", text.id());
    values.put("name", request.name());
    values.put("secret_hash", text.hash());
    values.put("scopes", request.scopes().stream().map(Scope::text).toArray(String[]::new));
    values.put("owner", request.owner().orElse(null));
    values.put("expires_at", request.expiresAt().map(Keys::stored).orElse(null));
    values.put("idempotency_key", idempotencyKey.orElse(null));
    values.put("keys_max", KEYS_MAX);
    return tables.inTransaction(
        creation.withTarget(text.id()).ended(outcome),
        (connection, entry) -> {
          values.put("created_by", entry.actor());
          List<Instant> created =
              INSERT.query(connection, values, row -> instant(row, "created_at").orElseThrow());
          if (created.isEmpty()) {
            checkNotCreated(connection, idempotencyKey, entry.actor());
            throw new IllegalArgumentException(
                "there are %s keys, the most that there can be: revoke some".formatted(KEYS_MAX));
          }
          ApiKey key =
              new ApiKey(
                  text.id(),
                  request.name(),
                  request.scopes(),
                  request.owner(),
                  created.get(0),
                  entry.actor(),
                  request.expiresAt(),
                  Optional.empty(),
                  Optional.empty());
          Audit.append(connection, List.of(entry));
          return new Created(key, text);
        });
  }

  private static void checkNotCreated(
      Connection connection, Optional<String> idempotencyKey, String actor) throws SQLException {
    if (idempotencyKey.isPresent()) {
      CREATED
          .query(
              connection,
              Map.of("created_by", actor, "idempotency_key", idempotencyKey.get()),
              row -> row.getString("key_id"))
          .stream()
          .findFirst()
          .ifPresent(
              id -> {
                throw new KeyCreatedException(id);
              });
    }
  }

  /** Returns all keys, the latest first, also those that were revoked or have expired. */
  public List<ApiKey> list() {
    return tables.inTransaction(
        connection -> LIST.query(connection, Map.of(), row -> read(row).key()));
  }

  /** Returns a key. */
  public Optional<ApiKey> find(String id) {
    return tables.inTransaction(connection -> find(connection, id));
  }

  private static Optional<ApiKey> find(Connection connection, String id) throws SQLException {
    return FIND.query(connection, Map.of("key_id", id), row -> read(row).key()).stream()
        .findFirst();
  }

  /**
   * Revokes a key; it stays revoked.
   *
   * @param revocation what the audit says about it; the target becomes the key
   * @return the key, and when it was revoked, which may be earlier; empty if there is no such key
   */
  public Optional<ApiKey> revoke(String id, AuditEntry revocation, String outcome) {
    return tables.inTransaction(
        revocation.withTarget(id).ended(outcome),
        (connection, entry) -> {
          if (REVOKE.update(connection, Map.of("key_id", id)) > 0) {
            Audit.append(connection, List.of(entry));
          }
          return find(connection, id);
        });
  }

  /** Returns the keys that a server must know; empty if no key was ever created. */
  List<Stored> remembered() {
    return tables.inTransaction(connection -> REMEMBERED.query(connection, Map.of(), Keys::read));
  }

  /** Notes that keys were used. */
  void touch(Collection<String> ids) {
    var unused =
        tables.inTransaction(
            connection -> TOUCH.update(connection, Map.of("key_ids", ids.toArray(new String[0]))));
  }

  private static Stored read(ResultSet row) throws SQLException {
    return new Stored(
        new ApiKey(
            row.getString("key_id"),
            row.getString("name"),
            scopes((String[]) row.getArray("scopes").getArray()),
            Optional.ofNullable(row.getString("owner")),
            instant(row, "created_at").orElseThrow(),
            row.getString("created_by"),
            instant(row, "expires_at"),
            instant(row, "revoked_at"),
            instant(row, "last_used_at")),
        row.getBytes("secret_hash"));
  }

  /** Leaves out scopes of a later version: without them a key permits less. */
  private static List<Scope> scopes(String[] stored) {
    return Arrays.stream(stored).map(Scope::tryParse).flatMap(Optional::stream).toList();
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  static OffsetDateTime stored(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
