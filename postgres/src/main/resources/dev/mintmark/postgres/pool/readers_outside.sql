-- Lists views outside of mintmark that name a pool, such as that of an adopted table: they read the tables of this database.
-- Parameters: name. Locks: none.
select distinct reader.oid::regclass::text as reader
from pg_depend
join pg_rewrite on pg_rewrite.oid = pg_depend.objid
join pg_class reader on reader.oid = pg_rewrite.ev_class
join pg_class source on source.oid = pg_depend.refobjid
where pg_depend.classid = 'pg_rewrite'::regclass
  and pg_depend.refclassid = 'pg_class'::regclass
  and source.relnamespace = 'mintmark'::regnamespace
  and reader.relnamespace <> source.relnamespace
  and position(quote_literal(:name) in pg_get_viewdef(reader.oid)) > 0
order by reader
