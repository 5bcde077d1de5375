-- filmgate: no transaction
-- An account's tasks that were asked for in the console, which may be few among those of its keys.
create index concurrently if not exists task_web on task (account_id, id) where surface = 'web';
