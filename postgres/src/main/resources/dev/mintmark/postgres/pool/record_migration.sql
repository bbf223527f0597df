-- Records a migration in the transaction that runs it. Parameters: name.
insert into mintmark.pool_migration (name)
values (:name);
