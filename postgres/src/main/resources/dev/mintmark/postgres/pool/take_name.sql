-- Takes the name of a pool that is to be created. Changes a row if nobody has it, or somebody who was killed.
-- Parameters: name; holder; millis (how long a name is taken at most). Locks: the row of the name.
insert into mintmark.pool_name as taken (name, holder)
values (:name, :holder::uuid)
on conflict (name) do update
set holder = excluded.holder, taken_at = excluded.taken_at
where taken.taken_at < clock_timestamp() - :millis * interval '1 millisecond'
