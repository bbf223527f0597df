package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PastClaim.Ending;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Lists the claims of a pool: those that are held, and those that have ended. Thread-safe. */
final class PoolHistory {
  private static final SqlFile LIST_CLAIMS = SqlFile.load(PoolHistory.class, "list_claims");
  private static final SqlFile LIST_EXCLUDED = SqlFile.load(PoolHistory.class, "list_excluded");
  private static final SqlFile HISTORY = SqlFile.load(PoolHistory.class, "history");

  private final PoolContext context;

  PoolHistory(PoolContext context) {
    this.context = context;
  }

  /** Lists the values that are held, as {@link Pool#claims} says. */
  List<Claim> claims(ClaimFilter filter, int limit) {
    checkLimit(limit);
    Place after = filter.after().map(context::requirePlace).orElse(Place.NONE);
    List<ClaimRow> rows =
        context
            .database()
            .query(
                filter.excluded() ? LIST_EXCLUDED : LIST_CLAIMS,
                ClaimRow::read,
                context.poolId(),
                bind("client", filter.client().flatMap(NameMatch::exact).orElse(null)),
                bind("client_from", filter.client().flatMap(NameMatch::from).orElse(null)),
                bind("client_until", filter.client().flatMap(NameMatch::until).orElse(null)),
                bind("owner", filter.owner().flatMap(NameMatch::exact).orElse(null)),
                bind("owner_from", filter.owner().flatMap(NameMatch::from).orElse(null)),
                bind("owner_until", filter.owner().flatMap(NameMatch::until).orElse(null)),
                bind("label_key", filter.label().map(LabelMatch::key).orElse(null)),
                bind("label", filter.label().flatMap(LabelMatch::exact).orElse(null)),
                bind("label_from", filter.label().flatMap(LabelMatch::from).orElse(null)),
                bind("label_until", filter.label().flatMap(LabelMatch::until).orElse(null)),
                bind("after_block", after.block()),
                bind("after_place", after.place()),
                bind("limit", limit));
    if (rows.isEmpty()) {
      context.checkKnown();
    }
    return rows.stream().map(context::toClaim).toList();
  }

  /** Lists claims, ended or not, as {@link Pool#history} says. */
  List<PastClaim> history(PastClaim.Filter filter, OptionalLong before, int limit) {
    checkLimit(limit);
    if (filter.value().isEmpty()) {
      List<Row> rows = rows(filter, Optional.empty(), before, limit).toList();
      if (rows.isEmpty()) {
        context.checkKnown();
      }
      return toClaims(rows, layoutOf(rows));
    }
    PoolLayout layout = context.layoutWithRemoved();
    List<Row> rows =
        context.requireEveryPlace(layout, filter.value().get()).stream()
            .flatMap(place -> rows(filter, Optional.of(place), before, limit))
            .sorted(Comparator.comparingLong(Row::token).reversed())
            .limit(limit)
            .toList();
    return toClaims(rows, layout);
  }

  /** Removed blocks are read only if a claim is of one of them. */
  private PoolLayout layoutOf(List<Row> rows) {
    PoolLayout present = context.layout();
    boolean isPresent = rows.stream().allMatch(row -> present.block(row.place.block()).isPresent());
    return isPresent ? present : context.layoutWithRemoved();
  }

  private List<PastClaim> toClaims(List<Row> rows, PoolLayout layout) {
    return rows.stream().map(row -> row.toClaim(context, layout)).toList();
  }

  private Stream<Row> rows(
      PastClaim.Filter filter, Optional<Place> place, OptionalLong before, int limit) {
    return context
        .database()
        .query(
            HISTORY,
            Row::read,
            context.poolId(),
            bind("block_id", place.map(Place::block).orElse(null)),
            bind("place", place.map(Place::place).orElse(null)),
            bind("client", filter.client().flatMap(NameMatch::exact).orElse(null)),
            bind("client_from", filter.client().flatMap(NameMatch::from).orElse(null)),
            bind("client_until", filter.client().flatMap(NameMatch::until).orElse(null)),
            bind("owner", filter.owner().flatMap(NameMatch::exact).orElse(null)),
            bind("owner_from", filter.owner().flatMap(NameMatch::from).orElse(null)),
            bind("owner_until", filter.owner().flatMap(NameMatch::until).orElse(null)),
            bind("label_key", filter.label().map(LabelMatch::key).orElse(null)),
            bind("label", filter.label().flatMap(LabelMatch::exact).orElse(null)),
            bind("label_from", filter.label().flatMap(LabelMatch::from).orElse(null)),
            bind("label_until", filter.label().flatMap(LabelMatch::until).orElse(null)),
            bindTime("at", filter.at()),
            bind("before_token", before.orElse(Long.MAX_VALUE)),
            bind("limit", limit))
        .stream();
  }

  /** Rejects a limit that no page can have. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > Pool.PAGE_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + Pool.PAGE_MAX);
    }
  }

  /** A claim as its row has it, with a place instead of a value. */
  private record Row(
      Place place,
      String client,
      int slot,
      Optional<String> owner,
      long token,
      Instant claimedAt,
      Optional<Instant> endedAt,
      Optional<Ending> ending) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          new Place(row.getInt("block_id"), row.getLong("place")),
          row.getString("client"),
          row.getInt("slot"),
          Optional.ofNullable(row.getString("owner")),
          row.getLong("token"),
          ClaimRow.instant(row, "claimed_at").orElseThrow(),
          ClaimRow.instant(row, "ended_at"),
          Optional.ofNullable(row.getString("ending"))
              .map(text -> Ending.valueOf(text.toUpperCase(Locale.ROOT))));
    }

    PastClaim toClaim(PoolContext context, PoolLayout layout) {
      return new PastClaim(
          context.name(),
          layout.valueAt(place).orElseGet(() -> context.valueAt(place)),
          client,
          slot,
          owner,
          token,
          claimedAt,
          endedAt,
          ending);
    }
  }
}
