-- Drops both tables.
drop table :schema.child, :schema.parent;
