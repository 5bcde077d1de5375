-- Long work. Whoever holds the lease at the row's epoch may write; a stale epoch writes nothing.
create table job (
  kind text not null,
  id text not null,
  -- Claims take turns between groups (an account, a host) that wait.
  fairness_key text not null default '',
  payload jsonb not null default '{}',
  run_at timestamptz not null default now(),
  lease_until timestamptz,
  owner text,
  epoch bigint not null default 0,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  primary key (kind, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- A leased job is due again when its lease ends: one index serves both.
create index job_due on job (kind, (greatest(run_at, coalesce(lease_until, run_at))));
