-- Mints :rows identifiers. Writes nothing but what the mint writes.
select pg_catalog.count(:mint)
from pg_catalog.generate_series(1::bigint, :rows::bigint) as row (n)
