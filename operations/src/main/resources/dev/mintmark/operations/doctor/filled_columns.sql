-- The columns of the tables :relations, whose wholes are :roots, that were added with a default which
-- all older rows share: it is kept in the catalog until they are written again.
-- Locks: none.
select distinct m.root::bigint as root, a.attname as name
from unnest(:relations::oid[], :roots::oid[]) as m (oid, root)
join pg_attribute a on a.attrelid = m.oid
where a.atthasmissing and not a.attisdropped
