-- What a client tagged a task with, of the first request under its Idempotency-Key: {name: value}. Null where nothing was, and of a version before.
alter table task add column tags jsonb;
