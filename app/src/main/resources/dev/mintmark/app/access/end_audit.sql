-- Notes how something ended.
-- Parameters: audit_id, target, outcome
update mintmark.access_audit
set outcome = :outcome, target = :target
where audit_id = :audit_id
