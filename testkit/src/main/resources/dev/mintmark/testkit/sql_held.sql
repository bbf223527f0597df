-- Lists the claims of a pool by the view of SQL. Parameters: pool; token (null: any). Locks: none.
select value, client, slot, token
from mintmark.pool_claims
where pool = :pool and (:token::bigint is null or token = :token::bigint)
