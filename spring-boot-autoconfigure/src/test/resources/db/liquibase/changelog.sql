--liquibase formatted sql

--changeset shop:1
create table tracks (id uuid primary key default mintmark.ulid(), title text not null);
insert into tracks (title) values ('a');
