-- What is to know about the schema :schema, which need not exist:
-- its quoted name, whether a pack is in it, whether every role may use it, and whether this role has the rights of its owner;
-- the record of the functions that the installation made, and the major version of this server;
-- whether this session can create temporary objects, for the comparison of definitions.
select
  quote_ident(:schema) as quoted_name,
  to_regprocedure(quote_ident(:schema) || '.pack_version()') is not null as has_version,
  coalesce((
    select has_schema_privilege('public', oid, 'usage')
    from pg_namespace
    where nspname = :schema), false) as is_for_all,
  not exists (
    select from pg_namespace
    where nspname = :schema
      and not pg_has_role(nspowner, 'usage')) as is_own,
  coalesce(obj_description(to_regprocedure(quote_ident(:schema) || '.pack_version()'), 'pg_proc'), '') as record,
  current_setting('server_version_num')::integer / 10000 as major_version,
  not pg_is_in_recovery()
    and current_setting('transaction_read_only') = 'off'
    and has_database_privilege(current_database(), 'temporary') as can_create
