-- Events not yet known to be on the broker, by their event id (UUIDv7, so in order). Deleted in bulk once published.
create table outbox (
  id uuid primary key,
  topic text not null,
  key text not null,
  value bytea not null,
  headers jsonb not null,
  created_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
