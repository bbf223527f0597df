-- Asks how far a session is that makes an index, as a part of the table's rows. The table is read twice, and once more its
-- tuples are put in order; the greater of what is known now and before is how far it is.
--
-- Parameters: pid, rows (of the table, estimated). Locks: nothing.
select
  case
    when phase like 'building index%' and tuples_total > 0 then tuples_done
    when phase like 'building index%' and blocks_total > 0
      then (:rows::numeric * blocks_done / blocks_total)::bigint
    else 0
  end as rows
from pg_catalog.pg_stat_progress_create_index
where pid = :pid
