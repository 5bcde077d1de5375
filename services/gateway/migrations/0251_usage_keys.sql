-- Whose key a record's task came with, and its tags; null of grants, debits and the console's tasks. Records of a version before get theirs from
-- their tasks while the service runs (src/usage/fill-keys.ts); '' where the task is gone.
alter table usage_entry add column key_id text, add column tags jsonb;
