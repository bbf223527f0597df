-- Creates a table whose key is minted by :mint, and a table that refers to it.
create table :schema.parent (id :type constraint parent_key primary key default :mint, n bigint not null);
create table :schema.child (parent_id :type not null, n bigint not null);
