-- What the server says of the schema :schema, whether it exists or not.
select
  quote_ident(:schema) as named,
  to_regprocedure(quote_ident(:schema) || '.pack_version()') is not null as has_version,
  coalesce((
    select has_schema_privilege('public', oid, 'usage')
    from pg_namespace
    where nspname = :schema), false) as may_enter
