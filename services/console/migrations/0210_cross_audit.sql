-- Runs of the cross-audit, which compares what two services have of the same thing.
create table cross_audit (
  id text primary key,
  -- Null where the clock did.
  requested_by text,
  since_at timestamptz not null,
  until_at timestamptz not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- By comparison: how many rows were compared and how many differences there are.
  compared jsonb not null default '{}',
  -- The first differences of each comparison.
  findings jsonb not null default '[]',
  fault text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index cross_audit_by_age on cross_audit (created_at);
create unique index cross_audit_by_hand on cross_audit (state) where state = 'running' and requested_by is not null;
