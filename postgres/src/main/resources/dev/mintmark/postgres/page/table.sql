-- A table and its columns among the given ones: one row for each. Parameters: table (its quoted name); columns;
-- unique_within (columns; is_unique is true if a unique index contains only such columns); trusted (functions that are
-- trusted as mints and in triggers, with their parentheses). Locks: none.
with recursive
part (oid) as (
  select pg_catalog.to_regclass(:table)::oid
  union
  select i.inhrelid
  from pg_catalog.pg_inherits i
  join part on part.oid operator(pg_catalog.=) i.inhparent
),
whole (oid) as (
  select pg_catalog.to_regclass(:table)::oid
  union
  select i.inhparent
  from pg_catalog.pg_inherits i
  join whole on whole.oid operator(pg_catalog.=) i.inhrelid
)
select pg_catalog.format('%I.%I.%I', pg_catalog.current_database(), n.nspname, c.relname) as resolved,
  c.relkind as kind,
  -- the index of a table does not contain the rows of tables that inherit from it
  (c.relkind operator(pg_catalog.=) 'p' or (select pg_catalog.count(*) from part) operator(pg_catalog.=) 1) and exists (
    select
    from pg_catalog.pg_index i
    where i.indrelid operator(pg_catalog.=) c.oid
      and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
      and not exists (
        select
        from rows from (
          pg_catalog.unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1]),
          pg_catalog.unnest(i.indcollation::oid[]),
          pg_catalog.unnest(i.indclass::oid[])
        ) k (attnum, collated_by, class)
        join pg_catalog.pg_attribute ka on ka.attrelid operator(pg_catalog.=) c.oid and ka.attnum operator(pg_catalog.=) k.attnum
        join pg_catalog.pg_opclass o on o.oid operator(pg_catalog.=) k.class
        -- the index must have the same equality as the order
        where ka.attname operator(pg_catalog.<>) all (:unique_within::text[])
          or k.collated_by operator(pg_catalog.<>) ka.attcollation
          or not o.opcdefault
      )
  ) as is_unique,
  exists (
    select
    from part
    join pg_catalog.pg_class pc on pc.oid operator(pg_catalog.=) part.oid
    where pc.relkind operator(pg_catalog.=) 'f'
  ) as has_foreign_parts,
  exists (
    select
    from (select oid from part union select oid from whole) family
    join pg_catalog.pg_subscription_rel s on s.srrelid operator(pg_catalog.=) family.oid
  ) as is_subscribed,
  (select pg_catalog.count(*) from pg_catalog.pg_prepared_xacts p where p.database operator(pg_catalog.=) pg_catalog.current_database()) as prepared,
  a.attname as name,
  -- without the length or the scale: a cast to varchar(4) would cut "acmeX" to "acme"
  pg_catalog.format_type(b.oid, -1) as type,
  -- the schema of the operators of the type: an extension has its own; those of arrays, enums and the like are PostgreSQL's
  coalesce(
    (
      select pg_catalog.quote_ident(tn.nspname)
      from pg_catalog.pg_operator o
      join pg_catalog.pg_namespace tn on tn.oid operator(pg_catalog.=) o.oprnamespace
      where b.typtype operator(pg_catalog.=) 'b' and b.typcategory operator(pg_catalog.<>) 'A'
        and o.oprname operator(pg_catalog.=) '='
        and o.oprnamespace operator(pg_catalog.=) b.typnamespace
        and o.oprleft operator(pg_catalog.=) b.oid and o.oprright operator(pg_catalog.=) b.oid
    ),
    'pg_catalog'
  ) as operators,
  case when b.typtype operator(pg_catalog.=) 'e' then 'enum' else b.typname end as base_type,
  a.attnotnull and not exists (
    -- from 18 on a not-null constraint can exist before the existing rows are validated
    select
    from pg_catalog.pg_constraint nn
    where nn.conrelid operator(pg_catalog.=) c.oid and nn.contype operator(pg_catalog.=) 'n' and not nn.convalidated and nn.conkey operator(pg_catalog.=) array[a.attnum]
  ) as not_null,
  (
    select pg_catalog.array_agg(distinct coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
      operator(pg_catalog.||) case when pa.attgenerated operator(pg_catalog.=) '' then '' else ' (generated)' end)
    from part
    join pg_catalog.pg_attribute pa on pa.attrelid operator(pg_catalog.=) part.oid and pa.attname operator(pg_catalog.=) a.attname
    left join pg_catalog.pg_attrdef d on d.adrelid operator(pg_catalog.=) pa.attrelid and d.adnum operator(pg_catalog.=) pa.attnum
    where a.attname is not null
  ) as defaults,
  -- whether the column defaults in every part to a call of a mint without arguments
  (
    select pg_catalog.bool_and(coalesce(
      pa.attgenerated operator(pg_catalog.=) ''
        and pg_catalog.pg_get_expr(d.adbin, d.adrelid) operator(pg_catalog.~) '^(([^".() ]+|"[^"]+")\.)?([^".() ]+|"[^"]+")\(\)$'
        and case
          -- PostgreSQL records no dependency on its own functions
          when f.oid is null then pg_catalog.pg_get_expr(d.adbin, d.adrelid) operator(pg_catalog.~) '^(pg_catalog\.)?uuidv7\(\)$'
          when f.oid operator(pg_catalog.=) any (array(select pg_catalog.to_regprocedure(t)::oid from pg_catalog.unnest(:trusted::text[]) t)) then true
          -- a wrapper of PostgreSQL's own, as the pack's functions are from PostgreSQL 18 on
          when l.lanname operator(pg_catalog.=) 'sql' and not f.calls_others
            and f.body operator(pg_catalog.~) '^(RETURN uuidv7\(\)|\s*select\s+pg_catalog\.uuidv7\(\)\s*;?\s*)$'
          then true
          -- the pack's functions below PostgreSQL 18
          when not f.has_pack or l.lanname operator(pg_catalog.<>) 'sql' or f.prosrc operator(pg_catalog.<>) '' then false
          when f.proname operator(pg_catalog.=) any (array['ulid', 'uuidv7']) then
            not f.calls_others and f.body operator(pg_catalog.~) 'clock_timestamp\(\)' and f.body operator(pg_catalog.~) 'gen_random_uuid\(\)'
          when f.proname operator(pg_catalog.=) 'ulid_monotonic' then
            f.body
              operator(pg_catalog.~) '^RETURN .*ulid_of_draw\(nextval\(''.*ulid_clock''::regclass\), .*ulid_clock_now\(\), gen_random_uuid\(\)\)$'
          else false
        end, false))
    from part
    join pg_catalog.pg_attribute pa on pa.attrelid operator(pg_catalog.=) part.oid and pa.attname operator(pg_catalog.=) a.attname
    left join pg_catalog.pg_attrdef d on d.adrelid operator(pg_catalog.=) pa.attrelid and d.adnum operator(pg_catalog.=) pa.attnum
    left join pg_catalog.pg_depend called
      on called.classid operator(pg_catalog.=) 'pg_catalog.pg_attrdef'::regclass::oid and called.objid operator(pg_catalog.=) d.oid
      and called.refclassid operator(pg_catalog.=) 'pg_catalog.pg_proc'::regclass::oid
    left join lateral (
      select p.oid, p.proname, p.prolang, p.prosrc,
        coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc) as body,
        pg_catalog.to_regprocedure(pg_catalog.quote_ident(pn.nspname) operator(pg_catalog.||) '.pack_version()') is not null as has_pack,
        exists (
          select
          from pg_catalog.pg_depend inner_call
          where inner_call.classid operator(pg_catalog.=) 'pg_catalog.pg_proc'::regclass::oid and inner_call.objid operator(pg_catalog.=) p.oid
            and inner_call.refclassid operator(pg_catalog.=) 'pg_catalog.pg_proc'::regclass::oid
        ) as calls_others
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace pn on pn.oid operator(pg_catalog.=) p.pronamespace
      where p.oid operator(pg_catalog.=) called.refobjid
    ) f on true
    left join pg_catalog.pg_language l on l.oid operator(pg_catalog.=) f.prolang
    where a.attname is not null
  ) as is_minted,
  -- triggers that may assign the column, or the whole row, before it is inserted
  (
    select pg_catalog.array_agg(distinct t.tgname operator(pg_catalog.||) ' of ' operator(pg_catalog.||) tg.relname)
    from part
    join pg_catalog.pg_class tg on tg.oid operator(pg_catalog.=) part.oid
    join pg_catalog.pg_trigger t on t.tgrelid operator(pg_catalog.=) part.oid
    join pg_catalog.pg_proc p on p.oid operator(pg_catalog.=) t.tgfoid
    join pg_catalog.pg_language l on l.oid operator(pg_catalog.=) p.prolang
    cross join lateral (
      -- the column in a pattern, with or without quotes
      select '"?' operator(pg_catalog.||) pg_catalog.regexp_replace(a.attname, '([^[:alnum:]_])', '\\\1', 'g') operator(pg_catalog.||) '"?' as pattern
    ) written
    where a.attname is not null
      -- for each row (1), before (2), insert (4)
      and t.tgtype::integer operator(pg_catalog.&) 7 operator(pg_catalog.=) 7
      and not t.tgisinternal
      and t.tgenabled operator(pg_catalog.=) any (array['O', 'A']::pg_catalog."char"[])
      and l.lanname operator(pg_catalog.<>) 'internal'
      and not exists (
        select
        from pg_catalog.unnest(:trusted::text[]) f (call)
        where pg_catalog.to_regprocedure(f.call)::oid operator(pg_catalog.=) t.tgfoid
      )
      and case
        when l.lanname operator(pg_catalog.=) 'plpgsql' then
          p.prosrc operator(pg_catalog.~*) ('\mnew\s*\.\s*' operator(pg_catalog.||) written.pattern operator(pg_catalog.||) '\s*:?=')
          or p.prosrc operator(pg_catalog.~*) ('\minto\s[^;]*\mnew\s*\.\s*' operator(pg_catalog.||) written.pattern)
          or p.prosrc operator(pg_catalog.~*) '\mnew\s*:?='
          or p.prosrc operator(pg_catalog.~*) '\minto\s+(strict\s+)?new\M\s*[^.[:space:]]'
        when l.lanname operator(pg_catalog.=) 'c' then position(a.attname in pg_catalog.encode(t.tgargs, 'escape')) operator(pg_catalog.>) 0
        else position(a.attname in p.prosrc) operator(pg_catalog.>) 0
      end
  ) as setting_triggers
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
left join pg_catalog.pg_attribute a
  on a.attrelid operator(pg_catalog.=) c.oid and a.attnum operator(pg_catalog.>) 0 and not a.attisdropped and a.attname operator(pg_catalog.=) any (:columns::text[])
left join lateral (
  -- a domain can be over a domain
  with recursive resolved (oid) as (
    select a.atttypid
    union all
    select t.typbasetype
    from resolved
    join pg_catalog.pg_type t on t.oid operator(pg_catalog.=) resolved.oid
    where t.typtype operator(pg_catalog.=) 'd'
  )
  select t.oid, t.typtype, t.typname, t.typnamespace, t.typcategory
  from resolved
  join pg_catalog.pg_type t on t.oid operator(pg_catalog.=) resolved.oid
  where t.typtype operator(pg_catalog.<>) 'd'
) b on true
where c.oid operator(pg_catalog.=) pg_catalog.to_regclass(:table)::oid
