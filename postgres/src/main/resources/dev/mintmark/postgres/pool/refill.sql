-- Draws values from blocks: they become free, except for those that were claimed by name before. None of them may be
-- excluded, by the blocks as read (load_issue.sql).
--
-- Optimistic lock: pass the versions of the blocks as read. A statement that gives a value its first row, removes its last
-- row, or changes what is excluded raises the version. So if the version is unchanged, what this snapshot shows of the
-- rows still holds.
--
-- Parameters: pool_id; block_ids, versions (as read) and drawn (how many values are drawn after this), arrays of one
-- length; place_blocks and places (the blocks and places of the values drawn), arrays of one length.
-- Locks: the blocks, skipping locked ones: a claim in the transaction of a caller may hold one for long. Returns how many
-- values of each block became free; no row for a block whose version has changed, or that is locked.
with drawn as materialized (
  select * from unnest(:block_ids::integer[], :versions::bigint[], :drawn::bigint[]) as drawn (block_id, version, drawn)
),
block as materialized (
  select pool_block.block_id, pool_block.held_until, drawn.drawn
  from mintmark.pool_block
  join drawn using (block_id)
  where pool_id = :pool_id and pool_block.version = drawn.version and not draining and removed_at is null
  order by block_id
  for update of pool_block skip locked
),
fresh as materialized (
  select block_id, place
  from unnest(:place_blocks::integer[], :places::bigint[]) as value (block_id, place)
  where (
      select true from mintmark.pool_free
      where pool_id = :pool_id and pool_free.block_id = value.block_id and pool_free.place = value.place
      limit 1) is null
    and (
      select true from mintmark.pool_claim
      where pool_id = :pool_id and pool_claim.block_id = value.block_id and pool_claim.place = value.place
      limit 1) is null
    and (
      select true from mintmark.pool_quarantine
      where pool_id = :pool_id and pool_quarantine.block_id = value.block_id and pool_quarantine.place = value.place
      limit 1) is null
),
freed as materialized (
  select block.block_id, block.drawn, count(fresh.place) as count
  from block
  left join fresh using (block_id)
  group by block.block_id, block.drawn
),
issued as (
  update mintmark.pool_block
  set drawn = freed.drawn, issued = issued + freed.count, version = version + 1
  from freed
  where pool_block.block_id = freed.block_id
),
inserted as (
  insert into mintmark.pool_free (pool_id, block_id, place, held_until)
  select :pool_id, block_id, fresh.place, block.held_until
  from block
  join fresh using (block_id)
)
select block_id, count from freed
