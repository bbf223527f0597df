-- Claims a value by the function of SQL. Parameters: pool; client; owner; lease_millis; slot; value. Locks: as the function.
select outcome, value, token
from mintmark.claim_value(
  :pool, :client, :owner::text, :lease_millis::bigint * interval '1 millisecond', :slot, :value::text)
