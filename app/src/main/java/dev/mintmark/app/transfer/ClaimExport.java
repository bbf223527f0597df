package dev.mintmark.app.transfer;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.Pool;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claims of a pool that are held, in the order of their values, page by page: each page is a
 * snapshot, the whole is not.
 */
public final class ClaimExport {
  /** The columns of the CSV. {@link PoolImport} reads those that it needs. */
  static final List<String> COLUMNS =
      List.of(
          "value",
          "client",
          "slot",
          "owner",
          "token",
          "claimed_at",
          "expires_at",
          "labels",
          "dns_name",
          "description");

  private ClaimExport() {}

  /** Receives a claim with its note. */
  public interface Target {
    /** A claim. */
    void accept(Claim claim, ClaimNote note) throws IOException;
  }

  /**
   * Reads all claims that are held.
   *
   * @throws IOException if the target fails
   */
  public static void read(Pool pool, Target target) throws IOException {
    Optional<String> after = Optional.empty();
    while (true) {
      List<Claim> claims = pool.claims(ClaimFilter.ALL.withAfter(after), Pool.PAGE_MAX);
      Map<Long, ClaimNote> notes = pool.notes().of(claims.stream().map(Claim::token).toList());
      for (Claim claim : claims) {
        target.accept(claim, notes.getOrDefault(claim.token(), ClaimNote.NONE));
      }
      if (claims.size() < Pool.PAGE_MAX) {
        return;
      }
      after = Optional.of(claims.get(claims.size() - 1).value());
    }
  }

  /**
   * Writes all claims as CSV, with a heading.
   *
   * @throws IOException if the target fails
   */
  public static void writeCsv(Pool pool, Appendable out) throws IOException {
    out.append(String.join(",", COLUMNS)).append('\n');
    read(
        pool,
        (claim, note) ->
            out.append(fields(claim, note).map(ClaimExport::quote).collect(Collectors.joining(",")))
                .append('\n'));
  }

  private static Stream<String> fields(Claim claim, ClaimNote note) {
    return Stream.of(
        claim.value(),
        claim.client(),
        Integer.toString(claim.slot()),
        claim.owner().orElse(""),
        Long.toString(claim.token()),
        claim.claimedAt().toString(),
        claim.expiresAt().map(Instant::toString).orElse(""),
        LabelsText.format(note.labels()),
        note.dnsName().orElse(""),
        note.description().orElse(""));
  }

  private static String quote(String field) {
    boolean needsQuotes =
        field.chars().anyMatch(c -> c == ',' || c == '"' || Character.isWhitespace(c));
    return needsQuotes ? '"' + field.replace("\"", "\"\"") + '"' : field;
  }
}
