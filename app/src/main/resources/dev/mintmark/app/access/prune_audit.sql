-- Deletes entries of the audit before a time.
-- Parameters: before
delete from mintmark.access_audit
where at < :before::timestamptz
