-- Search of claims: by the beginning of the client's or the owner's name, and by labels, which people write about a
-- claim (ClaimNotes). The indexes by client and owner compare names byte by byte, so that they serve both = and a prefix
-- under every collation of the database. They replace those that were there, so that a claim writes no more indexes than
-- before.
--
-- One block, in which pg_catalog is first on the search path: an operator class has no other way to be found.
-- Locks: mintmark.pool_claim, while two indexes are built.
do $script$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
begin
perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

alter table mintmark.pool_claim drop constraint pool_claim_pool_id_client_slot_key;
create unique index pool_claim_client on mintmark.pool_claim (pool_id, client text_pattern_ops, slot);

drop index mintmark.pool_claim_owner;
create index pool_claim_owner on mintmark.pool_claim (pool_id, owner text_pattern_ops, block_id, place)
  where owner is not null;

-- What people write about a claim, by its token: labels, a DNS name, a description. It stays where it is when the claim
-- ends, so that a claim without a note costs nothing and a release moves nothing. prune_notes.sql deletes the notes of
-- claims that are neither held nor in the history.
create table mintmark.pool_claim_note (
  pool_id     integer not null references mintmark.pool on delete cascade,
  token       bigint not null,
  labels      jsonb not null default '{}' check (jsonb_typeof(labels) = 'object'),
  dns_name    text check (length(dns_name) <= 255),
  description text check (length(description) <= 1000),
  primary key (pool_id, token)
);

-- The labels of the notes once more, to search them: by key and value, and by key and the beginning of the value.
create table mintmark.pool_claim_label (
  pool_id integer not null,
  token   bigint not null,
  key     text not null check (length(key) between 1 and 64),
  value   text not null check (length(value) <= 256),
  primary key (pool_id, token, key),
  foreign key (pool_id, token) references mintmark.pool_claim_note on delete cascade
);

create index pool_claim_label_value on mintmark.pool_claim_label (pool_id, key, value text_pattern_ops, token);

create or replace view mintmark.pool_claims as
select
  pool.name as pool,
  mintmark.pool_value(addresses, numbers, run_length, gaps, pool_claim.place, listed.value) as value,
  mintmark.pool_address(addresses, gaps, pool_claim.place) as address,
  case when numbers is not null then mintmark.pool_numbers(numbers, run_length, gaps, pool_claim.place) end as numbers,
  pool_claim.client,
  pool_claim.slot,
  pool_claim.owner,
  pool_claim.token,
  pool_claim.claimed_at,
  pool_claim.expires_at,
  coalesce(note.labels, '{}') as labels,
  note.dns_name,
  note.description
from mintmark.pool_claim
join mintmark.pool using (pool_id)
join mintmark.pool_block using (pool_id, block_id)
left join mintmark.pool_listed listed
  on listed.block_id = pool_claim.block_id and listed.place = pool_claim.place
left join mintmark.pool_claim_note note
  on note.pool_id = pool_claim.pool_id and note.token = pool_claim.token
where pool_claim.slice_id is null
  and (pool_claim.expires_at is null or pool_claim.expires_at > clock_timestamp());

perform pg_catalog.set_config('search_path', path, true);
end
$script$;
