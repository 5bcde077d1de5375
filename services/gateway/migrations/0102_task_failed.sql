-- filmgate: no transaction
-- An account's failed tasks, as its list shows them. The phase changes with what the index of ended tasks names already.
create index concurrently if not exists task_failed on task (account_id, id) where phase in ('failed', 'refused');
