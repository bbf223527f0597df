-- Begins an epoch. Parameters: went_back. Locks: the caller has locked the epochs (lock_epochs.sql).
insert into mintmark.pool_epoch (number, epoch, timeline, system_identifier, went_back, last_token)
values (
  (select max(number) from mintmark.pool_epoch) + 1,
  gen_random_uuid(),
  mintmark.pool_timeline(),
  mintmark.pool_system(),
  :went_back,
  mintmark.pool_last_token())
