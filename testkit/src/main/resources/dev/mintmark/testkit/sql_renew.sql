-- Renews a claim by the function of SQL. Parameters: pool; value; token; lease_millis. Locks: as the function.
select outcome from mintmark.renew_value(:pool, :value, :token, :lease_millis::bigint * interval '1 millisecond')
