-- Inserts :rows rows, whose keys are minted.
insert into :schema.parent (n)
select row.n
from pg_catalog.generate_series(1::bigint, :rows::bigint) as row (n)
