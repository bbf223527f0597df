-- Notifies every instance that listens that a pool has free values again. Parameters: payload.
-- Locks: the queue of notifications, at commit.
select pg_notify('mintmark_pool', :payload)
