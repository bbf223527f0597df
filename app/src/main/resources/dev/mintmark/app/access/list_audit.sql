-- Lists entries of the audit, the latest first.
-- Parameters: before (only entries with smaller ids), actor, action, target, request, since, until (each null: all), entries_max
select audit_id, at, actor, actor_name, source, action, target, detail, outcome, request_id
from mintmark.access_audit
where audit_id < :before
  and (:actor::text is null or actor = :actor)
  and (:action::text is null or action = :action)
  and (:target::text is null or pg_catalog.starts_with(target, :target))
  and (:request::text is null or request_id = :request)
  and (:since::timestamptz is null or at >= :since::timestamptz)
  and (:until::timestamptz is null or at < :until::timestamptz)
order by audit_id desc
limit :entries_max
