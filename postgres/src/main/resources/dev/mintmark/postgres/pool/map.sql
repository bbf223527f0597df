-- The state of every value in a window of positions, one letter each, in order: f free, h held, q quarantined,
-- x excluded. Parameters: pool_id; from and to (positions, to excluded). Locks: none.
select coalesce(string_agg(
  case
    when pool_free.position is not null then 'f'
    when pool_claim.position is not null then 'h'
    when pool_quarantine.position is not null then 'q'
    else 'x'
  end, '' order by place.position), '') as states
from generate_series(:from::bigint, :to::bigint - 1) as place (position)
left join mintmark.pool_free on pool_free.pool_id = :pool_id and pool_free.position = place.position
left join mintmark.pool_claim on pool_claim.pool_id = :pool_id and pool_claim.position = place.position
left join mintmark.pool_quarantine
  on pool_quarantine.pool_id = :pool_id and pool_quarantine.position = place.position
