-- filmgate: no transaction
-- What a key spent, without reading the other keys' records; and the records that have no key yet.
create index concurrently if not exists usage_entry_key on usage_entry (key_id, at) include (credits) where key_id is not null;
create index concurrently if not exists usage_entry_keyless on usage_entry (task_id)
  where key_id is null and model is not null and surface is distinct from 'web';
