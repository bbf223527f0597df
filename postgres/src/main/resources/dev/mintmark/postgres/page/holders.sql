-- The open transactions that hold pages back, one row for each, the one that determines how far pages go first; one row
-- without a holder if there are none. Parameters: by_minted_id (any transaction of this database holds back);
-- by_transaction (any transaction of the cluster that has an id holds back); with_own (whether the transaction of this session
-- counts). Locks: none.
-- Roles without pg_read_all_stats see of other sessions which have a transaction id, and not when a transaction began.
with sessions as (
  select s.*,
    (
      pg_catalog.pg_has_role('pg_read_all_stats', 'usage')
      or coalesce(pg_catalog.pg_has_role(s.usesysid, 'usage'), false)
    ) and coalesce(s.state operator(pg_catalog.<>) 'disabled', true) as is_seen
  from pg_catalog.pg_stat_activity s
  where (:by_transaction and s.datid is not null)
    or (
      :by_minted_id
      and s.datname operator(pg_catalog.=) pg_catalog.current_database()
      and coalesce(s.backend_type operator(pg_catalog.<>) 'autovacuum worker', true)
    )
),
holders as (
  select s.pid, null::text as prepared_as, s.xact_start as since, s.application_name, s.datname as database, s.backend_xid as xid
  from sessions s
  where (s.backend_xid is not null or (:by_minted_id and s.xact_start is not null))
    and (:with_own or s.pid operator(pg_catalog.<>) pg_catalog.pg_backend_pid())
  union all
  select null, p.gid, p.prepared, '', p.database, p.transaction
  from pg_catalog.pg_prepared_xacts p
  where :by_transaction or (:by_minted_id and p.database operator(pg_catalog.=) pg_catalog.current_database())
)
select pg_catalog.pg_is_in_recovery() as is_standby,
  pg_catalog.clock_timestamp() as read_at,
  (
    select pg_catalog.count(*)
    from sessions
    where not is_seen and pid operator(pg_catalog.<>) pg_catalog.pg_backend_pid()
  ) as unseen,
  h.database is not null as is_held,
  h.pid,
  h.prepared_as,
  h.since,
  h.application_name,
  h.database
from (values (1)) server
left join holders h on true
order by case when :by_transaction then pg_catalog.age(h.xid) end desc, h.since nulls first
