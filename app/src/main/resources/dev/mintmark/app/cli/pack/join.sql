-- Joins both tables by the key, with a hash table of all keys.
select pg_catalog.count(*)
from :schema.child
join :schema.parent on child.parent_id operator(pg_catalog.=) parent.id
