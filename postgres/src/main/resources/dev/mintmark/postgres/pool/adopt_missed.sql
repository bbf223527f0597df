-- Lists the values of pg_temp.mintmark_adopted that their clients do not hold after the import: sessions have claimed or
-- released them, or claimed for their clients, at the same moment.
--
-- Parameters: pool_id; limit. Locks: none.
select
  case
    when held.client is null
    then format('value %s: claims of it or of its client changed meanwhile: adopt the table again', mintmark.pool_quoted(value))
    else format('value %s: client %s holds it in the pool', mintmark.pool_quoted(value), mintmark.pool_quoted(held.client))
  end as problem
from pg_temp.mintmark_adopted adopted
left join mintmark.pool_claim held
  on held.pool_id = :pool_id and held.block_id = adopted.block_id and held.place = adopted.place
where held.client is distinct from adopted.client
order by problem
limit :limit
