-- filmgate: no transaction
-- What was refused before credits were reserved is forgotten by age. Its columns change with what the index of ended tasks names already.
create index concurrently if not exists task_declined on task (created_at) where phase = 'declined';
