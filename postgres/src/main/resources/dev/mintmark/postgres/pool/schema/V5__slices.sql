-- Slices: values of a pool that one instance has leased, to grant them without the database (SlicedPool).
--
-- A value in a slice has its row in pool_claim, like a value that is held: its holder is the slice. So it is in one place
-- in every snapshot, and nothing that counts, drains, excludes or sweeps values treats it in another way. When the
-- instance has granted the value, the row becomes the claim of the client (slice_journal.sql). Until then
--   slice_id   is the slice, and null in every other row
--   slot       is below 0, which no slot of a client is
--   expires_at is usable_until of the slice
-- so a slice that nobody renews ends like a lease, and the next sweep quarantines its values.
--
-- A client is granted values by one instance: the one whose slice has the bucket of the client. While a slice of a pool
-- is in force, no other statement grants values of the pool (pool_fence).

create table mintmark.pool_slice (
  slice_id     bigint generated always as identity primary key,
  pool_id      integer not null references mintmark.pool on delete cascade,
  instance     text not null,
  usable_until timestamptz not null,
  lacking      bigint not null default 0 check (lacking >= 0),
  began_at     timestamptz not null default clock_timestamp()
);

create index pool_slice_pool_id on mintmark.pool_slice (pool_id);

comment on column mintmark.pool_slice.instance is 'the name of the instance, as it is reported to clients of other instances';
comment on column mintmark.pool_slice.usable_until is 'nothing is granted from the slice, and no bucket of it is used, after that';
comment on column mintmark.pool_slice.lacking is 'how many values the instance lacked when no value was free; 0: none';

-- The buckets of a pool that a slice has. A bucket without a row has no instance yet.
create table mintmark.pool_bucket (
  pool_id  integer not null,
  bucket   integer not null check (bucket between 0 and 1023),
  slice_id bigint not null references mintmark.pool_slice on delete cascade,
  primary key (pool_id, bucket)
);

create index pool_bucket_slice_id on mintmark.pool_bucket (slice_id);

comment on column mintmark.pool_bucket.bucket is
  'the low 10 bits of the first two bytes of the SHA-256 of the name of the client, in UTF-8';

alter table mintmark.pool_claim add column slice_id bigint;

create index pool_claim_slice_id on mintmark.pool_claim (slice_id) where slice_id is not null;

comment on column mintmark.pool_claim.slice_id is 'the slice that the value is in, until it is the claim of a client';

-- As in V3__epochs.sql, and: sliced, if it is open, but a slice is in force. A slice that is renewed stays in force
-- without a gap: its instance does not use a renewal that was answered after the end before (SliceTerm).
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

comment on function mintmark.pool_fence(integer, uuid, bigint) is
  'whether a pool may grant values to an instance that knows an epoch and has seen a token: open, fenced, stopped or sliced';
