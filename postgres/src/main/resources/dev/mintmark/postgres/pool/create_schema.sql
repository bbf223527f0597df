-- Creates the schema of the tables. Without "if not exists", which requires the right to create even if it exists.
create schema mintmark;
