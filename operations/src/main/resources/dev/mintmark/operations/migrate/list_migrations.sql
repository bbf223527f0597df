-- Reads the migrations of a database, the latest first, with the targets of the steps that name its tables.
--
-- Parameters: phases (of the steps that work on tables), limit. Locks: nothing.
select
  m.id,
  m.fingerprint,
  m.state,
  m.paused,
  m.started_at,
  m.ended_at,
  count(*) as steps,
  count(*) filter (where s.state = 'done') as steps_done,
  coalesce(
    array_agg(s.target order by s.ordinal) filter (where s.phase = any (:phases::text[])),
    '{}'
  ) as targets
from mintmark.key_migration m
left join mintmark.key_migration_step s on s.migration_id = m.id
group by m.id
order by m.id desc
limit :limit
