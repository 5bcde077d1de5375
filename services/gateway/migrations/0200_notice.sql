-- What clients are to hear of: ends and reviews of tasks of the API, and low balances. A row goes once the broker has its event.
create table notice (
  -- The order in which they are published. Those of one task are inserted under its lock, so it is their own order too.
  id bigint generated always as identity primary key,
  -- Of the event, however often it is published.
  event_id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('task_ended', 'task_in_review', 'balance_low')),
  account_id text not null,
  task_id text,
  at timestamptz not null,
  -- Of the balance that fell.
  available bigint,
  threshold bigint,
  created_at timestamptz not null default now(),
  check ((kind = 'balance_low') = (task_id is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- `low_balance_credits`: clients hear of a paid balance below it; null: never. `low_notice`: the event that tells of it; null while it is not below.
alter table account
  add column low_balance_credits bigint check (low_balance_credits between 1 and 9007199254740991),
  add column low_notice uuid;
