-- Reads to which database a pool was moved last. No row if it never was. Parameters: name. Locks: none.
select database
from mintmark.pool_departure
where name = :name
order by departed_at desc
limit 1
