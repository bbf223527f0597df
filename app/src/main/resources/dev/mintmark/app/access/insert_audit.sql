-- Stores entries of the audit, in their order.
-- Parameters: ats, actors, actor_names, sources, actions, targets, details, outcomes, request_ids (arrays of one length)
-- Returns: the id of each entry
insert into mintmark.access_audit (at, actor, actor_name, source, action, target, detail, outcome, request_id)
select e.at, e.actor, e.actor_name, e.source, e.action, e.target, e.detail, e.outcome, e.request_id
from unnest(
  :ats::timestamptz[], :actors::text[], :actor_names::text[], :sources::text[], :actions::text[], :targets::text[],
  :details::text[], :outcomes::text[], :request_ids::text[]
) with ordinality as e (at, actor, actor_name, source, action, target, detail, outcome, request_id, place)
order by e.place
returning audit_id
