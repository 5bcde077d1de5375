-- Secrets of a key that work on beside its last former one, each until its own time: [{"hash": hex, "until": time}]. The last former one
-- stays in previous_hash, where the version before looks for it.
alter table api_key add column former_secrets jsonb not null default '[]';
