-- The triggers of a table that users made, and whether what they run mentions one of some columns of NEW or OLD.
-- Parameters: oid, columns (text[]). No locks.
select
  t.tgname as name,
  pg_get_triggerdef(t.oid) as definition,
  t.tgenabled::text as enabled,
  (t.tgtype & 2) <> 0 and (t.tgtype & 1) <> 0 as before_row,
  -- Of a column that is new, so not as update of others.
  (t.tgtype & 16) <> 0 and t.tgattr::text = '' and t.tgenabled in ('O', 'A') as fires_on_update,
  (t.tgtype & 16) <> 0 and t.tgattr::text = '' and t.tgenabled in ('A', 'R') as fires_for_replicas,
  t.tgfoid::regprocedure::text as function,
  exists (
    select
    from unnest(:columns::text[]) as named (name)
    where p.prosrc ~* ('\m(new|old)\s*\.\s*"?' || regexp_replace(named.name, '([^a-zA-Z0-9_])', '\\\1', 'g') || '"?\M')
      or pg_get_triggerdef(t.oid) ~* ('\m' || regexp_replace(named.name, '([^a-zA-Z0-9_])', '\\\1', 'g') || '\M')
  ) as mentions
from pg_trigger t
join pg_proc p on p.oid = t.tgfoid
where t.tgrelid = :oid
  and not t.tgisinternal
order by t.tgname
