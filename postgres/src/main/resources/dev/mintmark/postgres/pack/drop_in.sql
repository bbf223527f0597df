-- Replaces a function of yours that mints identifiers by a call of Mintmark's SQL pack, in place: its owner, its grants, its
-- volatility and what uses it stay. Its definition before is kept in its comment, from which
-- "mintmark pack uninstall --compat" restores it; the comment is SQL that can also be pasted into psql.
--
-- Run it as the owner of the function, after the pack is installed. It can be run again, and then changes nothing.
-- Locks: the advisory lock of the pack until the transaction ends, and no table.
do $drop_in$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
  quotes constant pg_catalog.text := pg_catalog.current_setting('quote_all_identifiers');
  schemas constant pg_catalog.text[] := pg_catalog.current_schemas(false);
  old record;
  sample text;
  definition text;
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog', true);
  -- Names are compared as the server writes them.
  perform set_config('quote_all_identifiers', 'off', true);
  perform pg_advisory_xact_lock(1296649812, 0);
  select *, count(*) over () as matches, string_agg(function, ', ') over () as functions
  into old
  from (
    -- :target
  ) target;
  if old.function is null then
    raise exception using errcode = '42883', message = 'there is no function ' || quote_ident(:name) || '() without parameters',
      hint = :hint;
  end if;
  if old.matches > 1::bigint then
    raise exception using errcode = '42725', message = 'several functions have this name: ' || old.functions,
      hint = 'Name the schema of the function.';
  end if;
  if not old.is_in_place then
    if cardinality(old.missing_rights || old.obstacles) > 0 then
      raise exception using errcode = case when cardinality(old.missing_rights) > 0 then '42501' else '55000' end,
        message = old.function || ': ' || array_to_string(old.missing_rights || old.obstacles, '; ');
    end if;
    -- With the search_path of the session, which the function may need.
    perform set_config('search_path', path, true);
    execute 'select ' operator(pg_catalog.||) old.function into sample;
    perform pg_catalog.set_config('search_path', 'pg_catalog', true);
    if sample is null or sample !~ :pattern then
      raise exception using errcode = '55000',
        message = old.function || ': it returned ' || coalesce(quote_literal(left(sample, 64)), 'null') || ': expected ' || :form;
    end if;
    execute 'create or replace function ' || old.function || ' returns ' || :result || ' language sql ' || old.volatility
      || ' parallel unsafe return ' || format(:call::text, :pack::text);
    definition := format(
      E'-- Mintmark drop-in 2: mintmark pack uninstall --compat %s restores this function and its comment.\n'
      '-- %s characters restore the function, the others its comment.\n%s%s',
      left(old.function, -2), length(old.function_statement), old.function_statement, old.comment_statement);
    execute format('comment on function %s is %L', old.function, definition);
  end if;
  perform set_config('quote_all_identifiers', quotes, true);
  perform set_config('search_path', path, true);
end
$drop_in$;
