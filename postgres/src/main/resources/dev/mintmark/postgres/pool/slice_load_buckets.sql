-- Lists the slots of the clients of some buckets that have a claim, whether its lease has ended or not. Reads all claims
-- of the pool. Parameters: pool_id; buckets. Locks: none.
select client, slot, bucket
from mintmark.pool_claim
cross join lateral (
  select sha256(convert_to(client, 'UTF8')) as hash
) as hashed
cross join lateral (
  select (get_byte(hash, 0) * 256 + get_byte(hash, 1)) & 1023 as bucket
) as numbered
where pool_id = :pool_id and slice_id is null and bucket = any (:buckets::integer[])
