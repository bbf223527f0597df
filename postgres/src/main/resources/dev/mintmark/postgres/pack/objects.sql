-- The functions, procedures, aggregates, sequences and domains in the schema :schema. pg_temp is the temporary schema of this session.
with place as (
  select oid, nspowner
  from pg_namespace
  where case :schema when 'pg_temp' then oid = pg_my_temp_schema() else nspname = :schema end
),
object as (
  select
    case prokind when 'p' then 'PROCEDURE' else 'FUNCTION' end as kind,
    quote_ident(proname) || '(' || oidvectortypes(proargtypes) || ')' as identity,
    pg_get_functiondef(pg_proc.oid) as definition,
    has_function_privilege('public', pg_proc.oid, 'execute') as is_for_all,
    proowner as owner,
    nspowner
  from pg_proc
  join place on pronamespace = place.oid
  where prokind in ('f', 'p')
  union all
  select
    'AGGREGATE',
    quote_ident(of_all.proname) || '(' || oidvectortypes(of_all.proargtypes) || ')',
    concat_ws(
      ' ', of_pair.proname, combined.proname, format_type(aggtranstype, null), oprname, of_all.proparallel,
      case when of_pair.pronamespace <> place.oid or combined.pronamespace <> place.oid then 'of another schema' end),
    has_function_privilege('public', of_all.oid, 'execute'),
    of_all.proowner,
    nspowner
  from pg_aggregate
  join pg_proc of_all on of_all.oid = aggfnoid
  join place on of_all.pronamespace = place.oid
  join pg_proc of_pair on of_pair.oid = aggtransfn
  left join pg_proc combined on combined.oid = aggcombinefn
  left join pg_operator on pg_operator.oid = aggsortop
  union all
  select
    'SEQUENCE',
    quote_ident(relname),
    concat_ws(
      ' ', format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
      case when has_sequence_privilege('public', pg_class.oid, 'update') then 'every role may set it' end,
      case relpersistence when 'u' then 'unlogged' end),
    has_sequence_privilege('public', pg_class.oid, 'usage'),
    relowner,
    nspowner
  from pg_class
  join place on relnamespace = place.oid
  join pg_sequence on seqrelid = pg_class.oid
  union all
  select
    'DOMAIN',
    quote_ident(typname),
    concat_ws(
      ' ', format_type(typbasetype, typtypmod), collname, typnotnull, typdefault,
      (select string_agg(pg_get_constraintdef(oid), ' ' order by conname)
       from pg_constraint
       where contypid = pg_type.oid)),
    has_type_privilege('public', pg_type.oid, 'usage'),
    typowner,
    nspowner
  from pg_type
  join place on typnamespace = place.oid
  left join pg_collation on pg_collation.oid = typcollation
  where typtype = 'd'
)
select
  kind,
  identity,
  definition,
  md5(definition) as digest,
  is_for_all,
  pg_get_userbyid(owner) as owner,
  pg_has_role(owner, nspowner, 'member') as is_trusted
from object
order by 1, 2
