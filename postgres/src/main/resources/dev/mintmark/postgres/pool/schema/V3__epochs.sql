-- A fence against a database that went back: a failover to a replica that lagged, a restored backup, a server that was
-- paused and came back with an older history. Claims that were acknowledged may be lost there, so that their values look
-- free.
--
-- An epoch is the time in which one history of the database goes on. Every claim names the epoch that its instance
-- knows (fence.sql begins one). A value is granted only if that epoch is the latest, the server is on its timeline, no
-- token that the instance saw is missing, and the pool is settled: what its after_failover says was done in this epoch.

create table mintmark.pool_epoch (
  number            bigint primary key,
  epoch             uuid not null unique,
  timeline          text,
  system_identifier bigint,
  went_back         boolean not null,
  last_token        bigint not null,
  began_at          timestamptz not null default clock_timestamp()
);

comment on table mintmark.pool_epoch is 'the histories that the database was seen on, in their order';
comment on column mintmark.pool_epoch.timeline is 'as in the names of WAL files; null: the server does not say';
comment on column mintmark.pool_epoch.system_identifier is 'of the cluster; null: the server does not say';
comment on column mintmark.pool_epoch.went_back is 'whether something was lost for certain, beside what may be lost in a failover';
comment on column mintmark.pool_epoch.last_token is 'the last token that was drawn before';

alter table mintmark.pool
  add column after_failover text check (after_failover in ('trust', 'quarantine', 'stop')),
  add column longest_lease interval,
  add column epoch uuid,
  add column stopped_at timestamptz,
  add constraint pool_after_failover_lease check (after_failover <> 'quarantine' or lease is not null);

comment on column mintmark.pool.after_failover is 'null: quarantine with a lease, stop without one';
comment on column mintmark.pool.longest_lease is 'the longest lease that a claim asked for, if any was longer than lease';
comment on column mintmark.pool.epoch is 'the epoch that it is settled for; null: it was created by a version without epochs';
comment on column mintmark.pool.stopped_at is 'since when no value is granted, until a person has decided; null: it is not stopped';

-- Some relatives of PostgreSQL do not have the functions that tell, and the owner of these tables may be denied them: then
-- only tokens show that the database went back. If only others are denied them, they ask with the rights of the owner. On a
-- standby there is no answer.
do $do$
begin
  perform pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn());
  execute $sql$
    create function mintmark.pool_timeline() returns text language sql volatile as $function$
      select case
        when not pg_catalog.pg_is_in_recovery()
        then pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8)
      end
    $function$
  $sql$;
  if not has_function_privilege('public', 'pg_catalog.pg_walfile_name(pg_lsn)', 'execute')
    or not has_function_privilege('public', 'pg_catalog.pg_current_wal_lsn()', 'execute')
    or not has_function_privilege('public', 'pg_catalog.pg_is_in_recovery()', 'execute') then
    alter function mintmark.pool_timeline() security definer set search_path = pg_catalog, pg_temp;
  end if;
exception
  when feature_not_supported or undefined_function or insufficient_privilege then
    create function mintmark.pool_timeline() returns text language sql volatile as 'select null::pg_catalog.text';
end
$do$;

comment on function mintmark.pool_timeline() is
  'the timeline that the server writes, as in the names of WAL files; null if it does not say';

do $do$
begin
  perform system_identifier from pg_catalog.pg_control_system();
  execute $sql$
    create function mintmark.pool_system() returns bigint language sql volatile as
      'select system_identifier from pg_catalog.pg_control_system()'
  $sql$;
  if not has_function_privilege('public', 'pg_catalog.pg_control_system()', 'execute') then
    alter function mintmark.pool_system() security definer set search_path = pg_catalog, pg_temp;
  end if;
exception
  when feature_not_supported or undefined_function or insufficient_privilege then
    create function mintmark.pool_system() returns bigint language sql volatile as 'select null::pg_catalog.int8';
end
$do$;

comment on function mintmark.pool_system() is 'the system identifier of the cluster; null if the server does not say';

create function mintmark.pool_last_token() returns bigint language sql volatile as
  'select case when is_called then last_value else last_value - 1 end from mintmark.pool_token';

comment on function mintmark.pool_last_token() is 'the last token that was drawn';

-- Whether a pool may grant values to an instance that knows an epoch and has seen a token: open, fenced (another epoch
-- began, or has to begin, or the pool is not settled) or stopped. PL/pgSQL keeps its plan; a function in SQL would be
-- planned for each claim.
create function mintmark.pool_fence(pool integer, known uuid, seen_token bigint) returns text
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
      else 'open'
    end
    from mintmark.pool
    left join (select epoch, timeline from mintmark.pool_epoch order by number desc limit 1) as latest on true
    where pool.pool_id = pool_fence.pool);
end
$function$;

comment on function mintmark.pool_fence(integer, uuid, bigint) is
  'whether a pool may grant values to an instance that knows an epoch and has seen a token: open, fenced or stopped';

insert into mintmark.pool_epoch (number, epoch, timeline, system_identifier, went_back, last_token)
values (1, gen_random_uuid(), mintmark.pool_timeline(), mintmark.pool_system(), false, mintmark.pool_last_token());

update mintmark.pool set epoch = (select epoch from mintmark.pool_epoch where number = 1);
