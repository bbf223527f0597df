-- The foreign keys of the tables :relations, whose wholes are :roots, and the conditions on columns
-- of their keys, that old rows have not been checked against. Those that are declared not to be
-- enforced (from 18 on) are left out.
-- Locks: none.
select
  m.root::bigint as root,
  format('%I', k.conname) as shown,
  k.contype = 'f' as is_reference
from unnest(:relations::oid[], :roots::oid[]) as m (oid, root)
join pg_constraint k on k.conrelid = m.oid
where not k.convalidated
  and k.conparentid = 0
  and coalesce(to_jsonb(k) ->> 'conenforced', 'true') = 'true'
  and (
    k.contype = 'f'
    or k.contype in ('c', 'n') and exists (
      select
      from pg_constraint other
      where other.conrelid = k.conrelid and other.contype in ('p', 'u', 'f') and other.conkey && k.conkey
    )
  )
order by 1, 2
