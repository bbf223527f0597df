-- Notes a migration that begins.
--
-- Parameters: fingerprint. Locks: its row, and so keeps a second one from beginning.
insert into mintmark.key_migration (fingerprint)
values (:fingerprint)
returning id
