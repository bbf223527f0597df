-- Inserts a pool that arrives. It is settled in the present epoch: the database that it comes from has settled it in its
-- own. Returns its id here. Parameters: moved (the row there); moving_millis (for how long it has been on its way, by the clock there);
-- move_id, source, source_pool_id. Locks: the name.
with here as (
  insert into mintmark.pool overriding system value
  select arriving.*
  from jsonb_populate_record(
    null::mintmark.pool,
    :moved::jsonb || jsonb_build_object(
      'pool_id', nextval(pg_get_serial_sequence('mintmark.pool', 'pool_id')),
      'epoch', (select epoch from mintmark.pool_epoch order by number desc limit 1),
      'moving_since', clock_timestamp() - :moving_millis * interval '1 millisecond')) as arriving
  returning pool_id
),
arrival as (
  insert into mintmark.pool_arrival (pool_id, move_id, source, source_pool_id)
  select pool_id, :move_id::uuid, :source, :source_pool_id
  from here
),
returned as (
  delete from mintmark.pool_departure where name = :moved::jsonb ->> 'name'
)
select pool_id from here
