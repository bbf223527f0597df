-- Inserts a row that refers to each key, and collects the statistics of both tables.
insert into :schema.child (parent_id, n)
select id, n
from :schema.parent;
analyze :schema.parent, :schema.child;
