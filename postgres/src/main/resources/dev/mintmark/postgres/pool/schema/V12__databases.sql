-- Pools in several databases: each pool is in one of them, and can be moved to another while clients use it.
--
--   here      moving_since is null
--   leaving   moving_since is set, and no row of pool_arrival: nothing is granted. If the program that moves it has
--             gone, a sweep ends that (end_departures.sql).
--   arriving  a row of pool_arrival without arrived_at: a copy, which is not used. It is the pool as soon as the database
--             that it came from has the departure of the same move; then it is made the pool (arrive.sql).
--   moved     in the database that it left: no pool, and a row of pool_departure.
--
-- One block, in which pg_catalog is first on the search path. Locks: mintmark.pool, for a moment, to add a column.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

alter table mintmark.pool add column moving_since timestamptz;

comment on column mintmark.pool.moving_since is
  'since when it grants nothing because it leaves for another database, or arrives from one; null: neither';

create index pool_moving_since on mintmark.pool (moving_since) where moving_since is not null;

create table mintmark.pool_departure (
  move_id     uuid primary key,
  name        text not null,
  pool_id     integer not null,
  database    text not null,
  departed_at timestamptz not null default clock_timestamp()
);

create index pool_departure_name on mintmark.pool_departure (name, departed_at);

comment on table mintmark.pool_departure is 'pools that were moved from here to another database';

create table mintmark.pool_arrival (
  pool_id        integer primary key references mintmark.pool on delete cascade,
  move_id        uuid not null,
  source         text not null,
  source_pool_id integer not null,
  arrived_at     timestamptz
);

comment on table mintmark.pool_arrival is 'pools that were moved here from another database';
comment on column mintmark.pool_arrival.source is 'the name of the database that it came from';
comment on column mintmark.pool_arrival.arrived_at is 'since when the pool is here; null: it is still there, or this is not known yet';

-- A name that an instance creates a pool of, in one of the databases: of no use in others than the first one.
create table mintmark.pool_name (
  name     text primary key,
  holder   uuid not null,
  taken_at timestamptz not null default clock_timestamp()
);

comment on table mintmark.pool_name is 'names of pools that are being created; a row of a program that was killed is taken over after minutes';

-- As in V5__slices.sql, and: fenced, while the pool leaves or arrives.
create or replace function mintmark.pool_fence(pool integer, known uuid, seen_token bigint) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $function$
begin
  return (
    select case
      when latest.epoch is distinct from known
        or latest.timeline is distinct from mintmark.pool_timeline()
        or pool.epoch is distinct from known
        or pool.moving_since is not null
        or coalesce((select last_value from mintmark.pool_token where is_called), 0) < seen_token then 'fenced'
      when pool.stopped_at is not null then 'stopped'
      when exists (
        select from mintmark.pool_slice
        where pool_slice.pool_id = pool_fence.pool and usable_until > now()) then 'sliced'
      else 'open'
    end
    from mintmark.pool
    left join (select epoch, timeline from mintmark.pool_epoch order by number desc limit 1) as latest on true
    where pool.pool_id = pool_fence.pool);
end
$function$;

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
