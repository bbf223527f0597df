-- The functions without parameters that are called :name, in the schema :schema or, if that is empty, in the schemas :path: what
-- they are, what uses them, and whether the drop-in with the result :result may replace them. It calls :call, in which %1$I is the
-- schema :pack of the pack. Part of drop_in.sql as well; runs with pg_catalog alone on the search_path.
-- Locks: none, or ACCESS SHARE on what a body in standard SQL reads while it is written out.
with recursive candidate as (
  select
    pg_proc.*,
    quote_ident(nspname) || '.' || quote_ident(proname) || '()' as shown,
    coalesce(pg_get_function_sqlbody(pg_proc.oid), '') as body,
    'RETURN ' || format(:call::text, :pack::text) as body_in_place,
    -- That of a pack in any schema.
    'RETURN ' || replace(:call::text, '%1$I', '%') as body_of_drop_in,
    coalesce(obj_description(pg_proc.oid, 'pg_proc'), '') as remark,
    (select rolsuper from pg_roles where rolname = current_user) as is_superuser
  from pg_proc
  join pg_namespace on pg_namespace.oid = pronamespace
  where proname = :name
    and pronargs = 0
    and prokind = 'f'
    and case when :schema = '' then nspname = any (:path) else nspname = :schema end
),
-- The record is the comment that drop_in.sql writes: two lines, then a statement that restores the function and one that restores
-- its comment, the first of so many characters. In version 1 the second is first, and no semicolon follows the function.
record as (
  select
    oid,
    shown,
    rtrim(case head[2] when 'function' then first else rest end, E';\n') || E';\n' as function,
    case head[2] when 'function' then rest else first end as comment
  from candidate
  cross join regexp_match(
    remark, '^-- Mintmark drop-in [12]: [^\n]*\n-- ([0-9]{1,9}) characters restore the (comment|function)[^\n]*\n') head
  cross join substr(remark, length(substring(remark from '^[^\n]*\n[^\n]*\n')) + 1) statements
  cross join substr(statements, 1, head[1]::integer) first
  cross join substr(statements, head[1]::integer + 1) rest
),
-- Names the function as it is called now, which may be renamed or in another schema.
restoring as (
  select
    oid,
    'CREATE OR REPLACE FUNCTION ' || shown || substr(function, length('CREATE OR REPLACE FUNCTION ' || name) + 1) as function,
    'comment on function ' || shown || substr(comment, length('comment on function ' || name) + 1) as comment
  from record
  cross join substring(function from '^CREATE OR REPLACE FUNCTION ([^\n]*)\n') name
  where starts_with(comment, 'comment on function ' || name || ' is ')
),
-- A candidate, and the functions with bodies in standard SQL that call it, directly or not. PostgreSQL records no other calls.
caller (candidate, function) as (
  select oid, oid
  from candidate
  union
  select candidate, objid
  from caller
  join pg_depend on refclassid = 'pg_proc'::regclass and refobjid = function
  where classid = 'pg_proc'::regclass
),
dependent as (
  select
    candidate,
    pg_describe_object(classid, objid, objsubid) as object,
    -- What keeps values that the function computed, and so requires that it returns the same ones again.
    case
      when attgenerated <> '' then 'the generated ' || pg_describe_object('pg_class'::regclass, attrelid, attnum)
      when relkind = 'p' then 'the partition key of ' || pg_describe_object(classid, objid, 0)
      when relkind is not null then pg_describe_object(classid, objid, 0)
    end as keeper
  from caller
  join pg_depend on refclassid = 'pg_proc'::regclass and refobjid = function
  left join pg_class on classid = 'pg_class'::regclass and pg_class.oid = objid and relkind in ('i', 'I', 'p')
  left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
  -- PostgreSQL 14 records the use in a generated column as one of the column itself.
  left join pg_attribute
    on attrelid = coalesce(adrelid, case when classid = 'pg_class'::regclass then objid end)
    and attnum = coalesce(adnum, objsubid)
)
select
  shown as function,
  pg_get_userbyid(proowner) as owner,
  case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
  pg_get_functiondef(candidate.oid) as definition,
  body = body_in_place as is_in_place,
  array_remove(array[restoring.function, restoring.comment], null) as restores,
  -- Of the drop-in of another pack, its record. After another program replaced the drop-in, only the comment before is in it.
  case
    when restoring.function is not null and body like body_of_drop_in then restoring.function
    else rtrim(pg_get_functiondef(candidate.oid), E'\n') || E';\n'
  end as function_statement,
  coalesce(
    restoring.comment,
    format(E'comment on function %s is %s;\n', shown, quote_nullable(nullif(remark, '')))) as comment_statement,
  array(
    select distinct object
    from dependent
    where dependent.candidate = candidate.oid
    order by 1) as dependents,
  array(
    select format('function %s', other.oid::regprocedure)
    from pg_proc other
    join pg_namespace on pg_namespace.oid = other.pronamespace
    join pg_language on pg_language.oid = other.prolang
    where other.oid <> candidate.oid
      and lanname not in ('c', 'internal')
      and nspname not in ('pg_catalog', 'information_schema')
      and position(:name::text in other.prosrc) > 0
    order by 1) as mentions,
  array_remove(
    array[
      case when proowner <> (select oid from pg_roles where rolname = current_user) then
        format('it belongs to the role %1$s: connect as that role, or add options=-c%%20role%%3D%1$s to the URL of the database',
          quote_ident(pg_get_userbyid(proowner)))
      end,
      case when not has_schema_privilege(pronamespace, 'create') then
        format('replacing it requires CREATE on the schema %s', pronamespace::regnamespace)
      end],
    null) as missing_rights,
  array_remove(
    array[
      case when proretset or format_type(prorettype, null) <> :result then
        format('it returns %s: expected %s', pg_get_function_result(candidate.oid), :result::text)
      end,
      case when exists (
        select from pg_depend
        where classid = 'pg_proc'::regclass and objid = candidate.oid and deptype in ('e', 'x'))
      then
        'it belongs to an extension'
      end,
      case when not is_superuser and not (select lanpltrusted and has_language_privilege(oid, 'usage') from pg_language where oid = prolang)
      then
        format('only a superuser could restore it: it is written in the language %s', (select lanname from pg_language where oid = prolang))
      end,
      case when not is_superuser and proleakproof then 'only a superuser could restore it: it is leakproof' end],
    null)
  || array(
    select distinct 'it is used by ' || keeper
    from dependent
    where dependent.candidate = candidate.oid and keeper is not null
    order by 1) as obstacles,
  array_remove(
    array[
      case when provolatile <> 'v' then
        format('it stays %s, so one call may serve many rows of a statement: declare it volatile, with alter function %s volatile',
          case provolatile when 'i' then 'immutable' else 'stable' end, shown)
      end,
      case when proparallel <> 'u' then 'it becomes parallel unsafe: queries that call it use no parallel workers' end,
      case when prosecdef then 'it runs with the rights of its caller, not of its owner' end,
      case when proconfig is not null then format('its settings end: %s', array_to_string(proconfig, ', ')) end,
      'it draws from a sequence: it fails in read-only transactions and on standbys (25006), and lastval() returns other values'],
    null) as changes
from candidate
left join restoring using (oid)
order by 1
