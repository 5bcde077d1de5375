-- filmgate: no transaction
-- Why routes of a provider take no new orders, shared by all dispatchers: a row from its start to its end, kept for ever.
create table if not exists route_hold (
  id bigint generated always as identity primary key,
  provider text not null,
  -- Null: all its models.
  model text,
  cause text not null check (cause in ('paused', 'unanswered', 'key_refused', 'no_balance')),
  reason text not null,
  -- The operator; null where the dispatcher started it.
  started_by text,
  started_at timestamptz not null default now(),
  -- Of the key that was refused: with another one it holds nothing.
  key_digest text,
  -- From then on one order may try the provider; null for a pause. How many did, and the attempt of the last one.
  probe_at timestamptz,
  probes int not null default 0,
  probe_attempt text,
  ended_at timestamptz,
  ended_by text,
  end_reason text
);
create unique index if not exists route_hold_open on route_hold (provider, coalesce(model, ''), cause) where ended_at is null;
create index if not exists route_hold_ended on route_hold (provider, ended_at) where cause = 'unanswered';
-- Submits without a certain answer, the last sent first.
create index concurrently if not exists attempt_undecided on attempt (provider, created_at) where state in ('sending', 'unknown');
