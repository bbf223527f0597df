-- A forum whose numbers run out: serial and identity keys, references of every width, a reply to a post of the same table, a
-- view, a trigger for one column, statistics, a unique constraint with a comment.
create table members (
  name text not null,
  unused integer,
  member_id integer generated always as identity (start with 100) primary key
);
alter table members drop column unused;
create table posts (
  body text not null,
  member_id integer not null references members (member_id),
  id serial primary key,
  reply_to integer references posts (id) on delete set null,
  constraint posts_reply_check check (reply_to < id)
);
create table votes (
  member_id smallint references members (member_id),
  post_id integer not null references posts (id) on delete cascade,
  constraint votes_once unique (post_id, member_id)
);
comment on constraint votes_once on votes is 'one each';
create statistics posts_by (dependencies) on member_id, reply_to from posts;
create view thread as select p.id, p.body, r.body as answers from posts p left join posts r on r.id = p.reply_to;
create function touched() returns trigger language plpgsql as 'begin return new; end';
create trigger moved before update of member_id on posts for each row execute function touched();
alter table posts enable replica trigger moved;
insert into members (name) select 'member ' || n from generate_series(1, 10) n;
insert into posts (member_id, reply_to, body) select 100 + n % 10, case when n % 3 = 0 then n - 1 end, 'post ' || n from generate_series(1, 50) n;
insert into votes (post_id, member_id) select p.id, m.member_id from posts p cross join members m where m.member_id < 103;
insert into votes (post_id, member_id) values (1, null);
