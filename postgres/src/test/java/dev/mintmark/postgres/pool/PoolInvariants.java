package dev.mintmark.postgres.pool;

import dev.mintmark.fixtures.TestDatabase;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What must be true of the tables of pools at every moment, whatever happened. */
final class PoolInvariants {
  /** What must not be, and a query of the number of rows that show it. */
  private static final List<Map.Entry<String, String>> BROKEN =
      List.of(
          Map.entry(
              "values with more than one row",
              """
        select count(*) from (
          select block_id, place from mintmark.pool_free
          union all select block_id, place from mintmark.pool_claim
          union all select block_id, place from mintmark.pool_quarantine
        ) as value
        group by block_id, place having count(*) > 1
        limit 1
        """),
          Map.entry(
              "blocks of which another number was issued than has rows",
              """
        select count(*) from mintmark.pool_block
        where issued
            <> (select count(*) from mintmark.pool_free where block_id = pool_block.block_id)
              + (select count(*) from mintmark.pool_claim where block_id = pool_block.block_id)
              + (select count(*) from mintmark.pool_quarantine where block_id = pool_block.block_id)
        """),
          Map.entry(
              "blocks that are drawn to the end without every value having a row",
              """
        select count(*) from mintmark.pool_block
        where drawn = size - (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(excluded_places) r)
          and issued + withheld <> size and not draining and removed_at is null
        """),
          Map.entry(
              "blocks that withhold another number of values than are excluded and have no row",
              """
        select count(*) from mintmark.pool_block
        where withheld
            <> (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(excluded_places) r)
              - (select count(*) from mintmark.pool_free
                 where block_id = pool_block.block_id and place <@ excluded_places)
              - (select count(*) from mintmark.pool_claim
                 where block_id = pool_block.block_id and place <@ excluded_places)
              - (select count(*) from mintmark.pool_quarantine
                 where block_id = pool_block.block_id and place <@ excluded_places)
        """),
          Map.entry(
              "labels that are searched and are not those of a note, or the other way round",
              """
        select count(*) from (
          (select pool_id, token, key, value from mintmark.pool_claim_label
           except
           select pool_id, token, label.key, label.value
           from mintmark.pool_claim_note, jsonb_each_text(labels) as label)
          union all
          (select pool_id, token, label.key, label.value
           from mintmark.pool_claim_note, jsonb_each_text(labels) as label
           except
           select pool_id, token, key, value from mintmark.pool_claim_label)
        ) as differing
        """),
          Map.entry(
              "values in slices that are claims of clients, or the other way round",
              """
        select count(*) from mintmark.pool_claim
        where (slice_id is null) <> (slot >= 0)
        """),
          Map.entry(
              "blocks that are not what the pool has from its source, or the other way round",
              """
        select
          (select count(*) from mintmark.pool_block
           where supply_id is not null and removed_at is null and not exists (
             select from mintmark.pool_supply
             where pool_supply.supply_id = pool_block.supply_id
               and pool_supply.value = pool_block.declared and state in ('used', 'lost')))
          + (select count(*) from mintmark.pool_supply
             where state in ('used', 'lost') and not exists (
               select from mintmark.pool_block
               where pool_block.supply_id = pool_supply.supply_id and removed_at is null))
        """),
          Map.entry(
              "claims of one value that overlap in the history",
              """
        with tenure as (
          select pool_id, block_id, place, token, claimed_at, ended_at from mintmark.pool_history
          union all
          select pool_id, block_id, place, token, claimed_at, expires_at from mintmark.pool_claim
        )
        select count(*)
        from tenure earlier
        join tenure later using (pool_id, block_id, place)
        where earlier.token < later.token
          and (earlier.ended_at is null or later.claimed_at < earlier.ended_at)
        """));

  /** One statement, so that all of them see the same rows, and one connection. */
  private static final String COUNTS =
      BROKEN.stream()
          .map(broken -> "coalesce((" + broken.getValue() + "), 0)")
          .collect(Collectors.joining(", ", "select ", ""));

  private PoolInvariants() {}

  /** How many values of a pool are free, held and quarantined. */
  static List<Long> counts(Pool pool) {
    PoolStats.BlockStats total = pool.stats().total();
    return Stream.of(total.free(), total.held(), total.quarantined())
        .map(BigInteger::longValueExact)
        .toList();
  }

  /** Each broken invariant, with the number of rows that break it. */
  static List<String> violations(TestDatabase database) {
    List<String> counts = database.rows(COUNTS).get(0);
    return IntStream.range(0, BROKEN.size())
        .filter(i -> !counts.get(i).equals("0"))
        .mapToObj(i -> BROKEN.get(i).getKey() + ": " + counts.get(i))
        .toList();
  }
}
