-- Events that the broker has taken, kept for a while so that what it lost can be sent again. A B-tree although rows are only added: what is
-- deleted makes room for new rows all over the table, which a BRIN index can't tell apart. Rows of one deletion share their moment and their entry.
create table outbox_published (
  id uuid not null,
  topic text not null,
  key text not null,
  value bytea not null,
  headers jsonb not null,
  published_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index outbox_published_by_time on outbox_published (published_at);
