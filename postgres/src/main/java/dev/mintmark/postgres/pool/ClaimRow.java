package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** A claim as its row has it, with a place instead of a value. */
record ClaimRow(
    Place place,
    String client,
    int slot,
    Optional<String> owner,
    long token,
    Instant claimedAt,
    Optional<Instant> expiresAt,
    Optional<Instant> previousEnd) {

  static ClaimRow read(ResultSet row) throws SQLException {
    return new ClaimRow(
        new Place(row.getInt("block_id"), row.getLong("place")),
        row.getString("client"),
        row.getInt("slot"),
        Optional.ofNullable(row.getString("owner")),
        row.getLong("token"),
        instant(row, "claimed_at").orElseThrow(),
        instant(row, "expires_at"),
        instant(row, "previous_end"));
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
