package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/** What must be true of the tables of pools at every moment, whatever happened. */
final class PoolInvariants {
  private PoolInvariants() {}

  /** Each broken invariant, with the number of rows that break it. */
  static List<String> violations(TestDatabase database) {
    List<String> violations = new ArrayList<>();
    check(
        violations,
        database,
        "positions in more than one state",
        """
        select count(*) from (
          select pool_id, position from mintmark.pool_free
          union all select pool_id, position from mintmark.pool_claim
          union all select pool_id, position from mintmark.pool_quarantine
        ) as place
        group by pool_id, position having count(*) > 1
        limit 1
        """);
    check(
        violations,
        database,
        "pools without exclusions whose values are not as many as their blocks have",
        """
        select count(*) from mintmark.pool
        where exclude = '{}'
          and (select sum(size) from mintmark.pool_block where pool_id = pool.pool_id)
            <> (select count(*) from mintmark.pool_free where pool_id = pool.pool_id)
              + (select count(*) from mintmark.pool_claim where pool_id = pool.pool_id)
              + (select count(*) from mintmark.pool_quarantine where pool_id = pool.pool_id)
        """);
    return violations;
  }

  private static void check(
      List<String> violations, TestDatabase database, String what, String sql) {
    long rows = database.number("select coalesce((" + sql + "), 0)");
    if (rows != 0) {
      violations.add(what + ": " + rows);
    }
  }
}
