-- A table and its columns among the given ones: one row for each. Parameters: table (its quoted name); columns;
-- unique_within (columns; is_unique is true if a unique index contains only such columns); trusted (functions that are
-- trusted as mints and in triggers, with their parentheses). Locks: none.
with recursive
part (oid) as (
  select pg_catalog.to_regclass(:table)::oid
  union
  select i.inhrelid
  from pg_catalog.pg_inherits i
  join part on part.oid = i.inhparent
),
whole (oid) as (
  select pg_catalog.to_regclass(:table)::oid
  union
  select i.inhparent
  from pg_catalog.pg_inherits i
  join whole on whole.oid = i.inhrelid
)
select pg_catalog.format('%I.%I.%I', pg_catalog.current_database(), n.nspname, c.relname) as resolved,
  c.relkind as kind,
  -- the index of a table does not contain the rows of tables that inherit from it
  (c.relkind = 'p' or (select pg_catalog.count(*) from part) = 1) and exists (
    select
    from pg_catalog.pg_index i
    where i.indrelid = c.oid
      and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
      and not exists (
        select
        from rows from (
          pg_catalog.unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1]),
          pg_catalog.unnest(i.indcollation::oid[]),
          pg_catalog.unnest(i.indclass::oid[])
        ) k (attnum, collated_by, class)
        join pg_catalog.pg_attribute ka on ka.attrelid = c.oid and ka.attnum = k.attnum
        join pg_catalog.pg_opclass o on o.oid = k.class
        -- the index must have the same equality as the order
        where ka.attname <> all (:unique_within::text[])
          or k.collated_by <> ka.attcollation
          or not o.opcdefault
      )
  ) as is_unique,
  exists (
    select
    from part
    join pg_catalog.pg_class pc on pc.oid = part.oid
    where pc.relkind = 'f'
  ) as has_foreign_parts,
  exists (
    select
    from (select oid from part union select oid from whole) family
    join pg_catalog.pg_subscription_rel s on s.srrelid = family.oid
  ) as is_subscribed,
  (select pg_catalog.count(*) from pg_catalog.pg_prepared_xacts p where p.database = pg_catalog.current_database()) as prepared,
  a.attname as name,
  -- without the length or the scale: a cast to varchar(4) would cut "acmeX" to "acme"
  pg_catalog.format_type(b.oid, -1) as type,
  case when b.typtype = 'e' then 'enum' else b.typname end as base_type,
  a.attnotnull and not exists (
    -- from 18 on a not-null constraint can exist before the existing rows are validated
    select
    from pg_catalog.pg_constraint nn
    where nn.conrelid = c.oid and nn.contype = 'n' and not nn.convalidated and nn.conkey = array[a.attnum]
  ) as not_null,
  (
    select pg_catalog.array_agg(distinct coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
      || case when pa.attgenerated = '' then '' else ' (generated)' end)
    from part
    join pg_catalog.pg_attribute pa on pa.attrelid = part.oid and pa.attname = a.attname
    left join pg_catalog.pg_attrdef d on d.adrelid = pa.attrelid and d.adnum = pa.attnum
    where a.attname is not null
  ) as defaults,
  -- whether the column defaults in every part to a call of a mint without arguments
  (
    select pg_catalog.bool_and(coalesce(
      pa.attgenerated = ''
        and pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^(([^".() ]+|"[^"]+")\.)?([^".() ]+|"[^"]+")\(\)$'
        and case
          -- PostgreSQL records no dependency on its own functions
          when f.oid is null then pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^(pg_catalog\.)?uuidv7\(\)$'
          when f.oid = any (array(select pg_catalog.to_regprocedure(t)::oid from pg_catalog.unnest(:trusted::text[]) t)) then true
          -- a wrapper of PostgreSQL's own, as the pack's functions are from PostgreSQL 18 on
          when l.lanname = 'sql' and not f.calls_others
            and f.body ~ '^(RETURN uuidv7\(\)|\s*select\s+pg_catalog\.uuidv7\(\)\s*;?\s*)$'
          then true
          -- the pack's functions below PostgreSQL 18
          when not f.has_pack or l.lanname <> 'sql' or f.prosrc <> '' then false
          when f.proname in ('ulid', 'uuidv7') then
            not f.calls_others and f.body ~ 'clock_timestamp\(\)' and f.body ~ 'gen_random_uuid\(\)'
          when f.proname = 'ulid_monotonic' then
            f.body
              ~ '^RETURN .*ulid_of_draw\(nextval\(''.*ulid_clock''::regclass\), .*ulid_clock_now\(\), gen_random_uuid\(\)\)$'
          else false
        end, false))
    from part
    join pg_catalog.pg_attribute pa on pa.attrelid = part.oid and pa.attname = a.attname
    left join pg_catalog.pg_attrdef d on d.adrelid = pa.attrelid and d.adnum = pa.attnum
    left join pg_catalog.pg_depend called
      on called.classid = 'pg_catalog.pg_attrdef'::regclass::oid and called.objid = d.oid
      and called.refclassid = 'pg_catalog.pg_proc'::regclass::oid
    left join lateral (
      select p.oid, p.proname, p.prolang, p.prosrc,
        coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc) as body,
        pg_catalog.to_regprocedure(pg_catalog.quote_ident(pn.nspname) || '.pack_version()') is not null as has_pack,
        exists (
          select
          from pg_catalog.pg_depend inner_call
          where inner_call.classid = 'pg_catalog.pg_proc'::regclass::oid and inner_call.objid = p.oid
            and inner_call.refclassid = 'pg_catalog.pg_proc'::regclass::oid
        ) as calls_others
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
      where p.oid = called.refobjid
    ) f on true
    left join pg_catalog.pg_language l on l.oid = f.prolang
    where a.attname is not null
  ) as is_minted,
  -- triggers that may assign the column, or the whole row, before it is inserted
  (
    select pg_catalog.array_agg(distinct t.tgname || ' of ' || tg.relname)
    from part
    join pg_catalog.pg_class tg on tg.oid = part.oid
    join pg_catalog.pg_trigger t on t.tgrelid = part.oid
    join pg_catalog.pg_proc p on p.oid = t.tgfoid
    join pg_catalog.pg_language l on l.oid = p.prolang
    cross join lateral (
      -- the column in a pattern, with or without quotes
      select '"?' || pg_catalog.regexp_replace(a.attname, '([^[:alnum:]_])', '\\\1', 'g') || '"?' as pattern
    ) written
    where a.attname is not null
      -- for each row (1), before (2), insert (4)
      and t.tgtype::integer & 7 = 7
      and not t.tgisinternal
      and t.tgenabled in ('O', 'A')
      and l.lanname <> 'internal'
      and not exists (
        select
        from pg_catalog.unnest(:trusted::text[]) f (call)
        where pg_catalog.to_regprocedure(f.call)::oid = t.tgfoid
      )
      and case l.lanname
        when 'plpgsql' then
          p.prosrc ~* ('\mnew\s*\.\s*' || written.pattern || '\s*:?=')
          or p.prosrc ~* ('\minto\s[^;]*\mnew\s*\.\s*' || written.pattern)
          or p.prosrc ~* '\mnew\s*:?='
          or p.prosrc ~* '\minto\s+(strict\s+)?new\M\s*[^.[:space:]]'
        when 'c' then position(a.attname in pg_catalog.encode(t.tgargs, 'escape')) > 0
        else position(a.attname in p.prosrc) > 0
      end
  ) as setting_triggers
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attribute a
  on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname = any (:columns::text[])
left join lateral (
  -- a domain can be over a domain
  with recursive resolved (oid) as (
    select a.atttypid
    union all
    select t.typbasetype
    from resolved
    join pg_catalog.pg_type t on t.oid = resolved.oid
    where t.typtype = 'd'
  )
  select t.oid, t.typtype, t.typname
  from resolved
  join pg_catalog.pg_type t on t.oid = resolved.oid
  where t.typtype <> 'd'
) b on true
where c.oid = pg_catalog.to_regclass(:table)::oid
