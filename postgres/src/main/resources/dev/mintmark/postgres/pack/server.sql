-- The quoted name of the schema :schema, whether a pack is in it, and whether every role may use it. The schema need not exist.
select
  quote_ident(:schema) as quoted_name,
  to_regprocedure(quote_ident(:schema) || '.pack_version()') is not null as has_version,
  coalesce((
    select has_schema_privilege('public', oid, 'usage')
    from pg_namespace
    where nspname = :schema), false) as is_for_all
