-- filmgate: no transaction
-- An account's unfinished tasks, which are few among all that it has.
create index concurrently if not exists task_unended on task (account_id, id) where phase_rank < 4;
