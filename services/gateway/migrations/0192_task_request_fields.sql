-- What was asked for beside prompt, model and mode, of tasks of the console; it is forgotten with the prompt. Null of others and of a version before.
alter table task add column request jsonb;
