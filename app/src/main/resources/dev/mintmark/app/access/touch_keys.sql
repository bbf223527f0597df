-- Notes that keys were used, unless that was noted less than a minute ago.
-- Parameters: key_ids
-- Locks: the rows of these keys that no other server is noting now
update mintmark.access_key
set last_used_at = pg_catalog.now()
where key_id in (
  select key_id
  from mintmark.access_key
  where key_id = any (:key_ids) and (last_used_at is null or last_used_at < pg_catalog.now() - interval '1 minute')
  order by key_id
  for update skip locked
)
