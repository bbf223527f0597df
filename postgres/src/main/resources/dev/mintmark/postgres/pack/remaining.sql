-- How many objects the schema :schema still contains.
select count(*)
from pg_depend
where refclassid = 'pg_namespace'::regclass
  and refobjid = to_regnamespace(quote_ident(:schema))
