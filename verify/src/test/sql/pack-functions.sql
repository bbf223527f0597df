-- What functions of the pack cost beside the SQL expression that does a part of the same: microseconds for a call, the least of nine
-- runs over 20,000 rows. Requires the pack in the schema mintmark: psql -f verify/src/test/sql/pack-functions.sql
set max_parallel_workers_per_gather = 0;
set jit = off;
create temp table measured as select mintmark.ulid_monotonic() as id, n from generate_series(1, 20000) n;
alter table measured add puri text, add escaped text;
update measured set puri = 'bobsburgers:meats:' || id, escaped = 'bobsburgers:meats:chicken%20' || n;
vacuum analyze measured;
do $measure$
declare
  expression text;
  least_micros float8;
  rows_micros float8;
  began timestamptz;
begin
  foreach expression in array array[
    'n',
    '''bobsburgers:meats:'' || id::text', 'mintmark.puri(''bobsburgers'', ''meats'', id)',
    'split_part(puri, '':'', 3)', 'mintmark.puri_identifier(puri)', 'mintmark.puri_identifier(escaped)', 'mintmark.puri_canonical(puri)',
    'substr(id::text, 15, 1)', 'mintmark.uuid_version(id)', 'mintmark.uuid_node(id)', 'mintmark.ulid_time(id)', 'mintmark.uuid_time(id)',
    'mintmark.uuid_prefix_min(n::text)', 'mintmark.ulid_prefix_min(n::text)']
  loop
    least_micros := null;
    for run in 1 .. 9 loop
      began := clock_timestamp();
      execute format('select count(%s) from measured', expression);
      least_micros := least(least_micros, extract(epoch from clock_timestamp() - began) * 1000000 / 20000);
    end loop;
    rows_micros := coalesce(rows_micros, least_micros);
    raise info '% us  %', to_char(least_micros - rows_micros, '990.99'), expression;
  end loop;
end
$measure$;
