-- Exclusions that can change. A value that is excluded keeps its place, and its row if it has one: who holds it keeps it.
-- When it is free it loses its row (withdraw.sql), and no other is drawn for it. In every snapshot
--   issued   = rows in pool_free + pool_claim + pool_quarantine
--   withheld = excluded places without a row
--   size     = issued + withheld + never issued
-- What was excluded before, when its block was added, has no place ("gaps"). The column has a new name, so that a program
-- that does not know of exclusions fails instead of granting them.
alter table mintmark.pool_block rename column excluded to gaps;

alter table mintmark.pool_block
  alter column gaps set default '{}',
  add column exclusions text[] not null default '{}',
  add column excluded_places int8multirange not null default '{}',
  add column withheld bigint not null default 0 check (withheld >= 0),
  add constraint pool_block_issued_withheld check (issued + withheld <= size);

comment on column mintmark.pool_block.gaps is 'blocks that were excluded before exclusions could change: they have no place';
comment on column mintmark.pool_block.exclusions is 'blocks whose values are not handed out';
comment on column mintmark.pool_block.excluded_places is 'the places of the exclusions';
comment on column mintmark.pool_block.withheld is 'how many of the excluded places have no row';
comment on column mintmark.pool_block.drawn is
  'how far values were drawn, in an order that the seed and the excluded places decide';
comment on column mintmark.pool_block.version is
  'counts the changes of issued and of the exclusions: who makes one names the version they saw';
