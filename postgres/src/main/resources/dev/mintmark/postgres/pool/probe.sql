-- Reports whether a pool is empty and, in the same snapshot, which clients have got a value of it, or could get one
-- back.
--
-- Empty is strict: a row that a claim in progress has locked or deleted counts as free until that claim commits, and a
-- value that is being drawn counts as never issued. So if nothing is free in a snapshot, no claim is in progress except
-- for values in quarantine, whose last clients are listed. And every token drawn so far belongs to a claim that is
-- visible here, to a last client, or will never be visible: later claims have greater tokens. Claims in the transactions of
-- callers (V7__sql_claims.sql) are the exception: they become visible in any order of tokens, so they are listed by their
-- transactions. One that is not visible here is not before the horizon.
--
-- A value in a slice counts as one that may become free: whoever is granted it has an earlier token than others that
-- are listed.
--
-- last_drawn is less than the tokens seen before only if the database has gone back in time: a restore, or a failover
-- to a replica that lagged.
--
-- next_due: when the next value may become free; those of drained blocks, and those that are excluded, do not.
--
-- A pool with many holders is listed in parts, the smallest tokens first: last_token is that of the last one listed while
-- is_complete is false. Each part is of another snapshot. That is as good as one: in each of them nothing was free, so no claim
-- with a token up to last_token was in progress.
--
-- Parameters: pool_id; missing (how many values a claim lacks); after_token (holders with a greater token are listed);
--   after_xact (so are those of this transaction and later ones); holders_max (as many are listed in one part).
-- Locks: none.
with part as materialized (
  (
    select client, token from mintmark.pool_claim
    where pool_id = :pool_id and token > :after_token
    order by token limit :holders_max)
  union all
  (
    select last_client, last_token from mintmark.pool_quarantine
    where pool_id = :pool_id and last_token > :after_token and last_client is not null
    order by last_token limit :holders_max)
  order by token limit :holders_max
),
listed as materialized (
  select count(*) < :holders_max as is_complete, max(token) as last_token from part
)
select
  exists (select from mintmark.pool where pool_id = :pool_id) as known,
  exists (select from mintmark.pool_free where pool_id = :pool_id)
    or exists (
      select from mintmark.pool_block
      where pool_id = :pool_id and issued + withheld < size and not draining and removed_at is null
        and (not_before is null or not_before <= now()))
    or exists (select from mintmark.pool_claim where pool_id = :pool_id and slice_id is not null) as any_free,
  (select count(*) from (select from mintmark.pool_free where pool_id = :pool_id limit :missing) as free)
    + (
      select coalesce(sum(size - issued - withheld), 0) from mintmark.pool_block
      where pool_id = :pool_id and not draining and removed_at is null
        and (not_before is null or not_before <= now())) >= :missing as enough_free,
  now() as at,
  least(
    (
      select until from mintmark.pool_quarantine
      where pool_id = :pool_id
        and exists (
          select from mintmark.pool_block
          where pool_block.block_id = pool_quarantine.block_id and not draining and not place <@ excluded_places)
      order by until limit 1),
    (
      select expires_at from mintmark.pool_claim
      where pool_id = :pool_id and expires_at is not null
        and exists (
          select from mintmark.pool_block
          where pool_block.block_id = pool_claim.block_id and not draining and not place <@ excluded_places)
      order by expires_at limit 1),
    (select min(not_before) from mintmark.pool_block where pool_id = :pool_id and issued + withheld < size and not draining
      and removed_at is null)
  ) as next_due,
  (select is_complete from listed),
  case
    when (select is_complete from listed)
      then (select max(token) from mintmark.pool_claim where pool_id = :pool_id)
    else (select last_token from listed)
  end as last_token,
  (select last_value from mintmark.pool_token) as last_drawn,
  pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
  array(
    select client from part
    union all
    select client from mintmark.pool_claim
    where pool_id = :pool_id and xact >= :after_xact::text::xid8 and token <= :after_token
  ) as holders
