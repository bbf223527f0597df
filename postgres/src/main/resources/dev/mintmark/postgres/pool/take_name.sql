-- Takes the name of a pool that is to be created. Changes a row if nobody has it, the holder itself, whose first answer was
-- lost, or somebody who was killed. A name that was taken ahead of the clock was taken before the clock stepped back.
-- Parameters: name; holder; millis (how long a name is taken at most). Locks: the row of the name.
insert into mintmark.pool_name as taken (name, holder)
values (:name, :holder::uuid)
on conflict (name) do update
set holder = excluded.holder, taken_at = excluded.taken_at
where taken.holder = excluded.holder
  or taken.taken_at < clock_timestamp() - :millis * interval '1 millisecond'
  or taken.taken_at > clock_timestamp()
