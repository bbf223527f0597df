-- Gives the objects of the bootstrap superuser to the role mintmark: an earlier version let every
-- client be that superuser. "reassign owned" refuses this role, because the system needs it.
-- Objects of extensions stay as they are, and sequences follow their tables.
-- Parameters: none. Locks: each object, exclusively, until the end of the transaction.
set local search_path to pg_catalog;

do $$
declare
  superuser constant oid := 10;
  statement text;
begin
  for statement in
    with
      systems as (
        select oid from pg_namespace
        where nspname ~ '^pg_' or nspname = 'information_schema'),
      members as (
        select classid, objid from pg_depend
        where deptype = 'e'),
      owned_sequences as (
        select objid from pg_depend
        where classid = 'pg_catalog.pg_class'::regclass
          and refclassid = 'pg_catalog.pg_class'::regclass
          and deptype in ('a', 'i'))
    select format('alter schema %I owner to mintmark', nspname)
    from pg_namespace
    where nspowner = superuser
      and oid not in (select oid from systems)
      and ('pg_catalog.pg_namespace'::regclass, oid) not in (select classid, objid from members)
    union all
    select format('alter table %s owner to mintmark', oid::regclass)
    from pg_class
    where relowner = superuser
      and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and relnamespace not in (select oid from systems)
      and not (relkind = 'S' and oid in (select objid from owned_sequences))
      and ('pg_catalog.pg_class'::regclass, oid) not in (select classid, objid from members)
    union all
    select format('alter routine %s owner to mintmark', oid::regprocedure)
    from pg_proc
    where proowner = superuser
      and pronamespace not in (select oid from systems)
      and ('pg_catalog.pg_proc'::regclass, oid) not in (select classid, objid from members)
    union all
    select format('alter type %s owner to mintmark', type.oid::regtype)
    from pg_type type
    left join pg_class class on class.oid = type.typrelid
    where type.typowner = superuser
      and type.typnamespace not in (select oid from systems)
      and type.typelem = 0
      and type.typtype in ('b', 'c', 'd', 'e', 'r')
      and (class.relkind is null or class.relkind = 'c')
      and ('pg_catalog.pg_type'::regclass, type.oid) not in (select classid, objid from members)
    union all
    select format('alter statistics %I.%I owner to mintmark', schema.nspname, statistics.stxname)
    from pg_statistic_ext statistics
    join pg_namespace schema on schema.oid = statistics.stxnamespace
    where statistics.stxowner = superuser
      and schema.oid not in (select oid from systems)
  loop
    execute statement;
  end loop;
end
$$;
