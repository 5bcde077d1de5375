-- filmgate: no transaction
-- Tasks with a deadline of their client's own, the next one first.
create index concurrently if not exists task_cancel_due on task (cancel_at) where cancel_at is not null;
