-- Where an account wants to be told what happened. Secrets are encrypted; the key is in the service's configuration alone.
create table endpoint (
  id text primary key,
  account_id text not null,
  url text not null,
  description text not null,
  events text[] not null,
  secret bytea not null,
  -- Signs beside the new one until then.
  former_secret bytea,
  former_secret_until timestamptz,
  -- Whether its last attempt succeeded, and soon. Prompt endpoints are served apart from the others.
  prompt boolean not null default false,
  -- The first failure since the last success.
  failing_since timestamptz,
  paused_at timestamptz,
  paused_reason text,
  resumed_at timestamptz,
  -- The operator who resumed it last; null where that was the account.
  resumed_by text,
  -- When a delivery of its own may be claimed; null while it has none pending.
  due_at timestamptz,
  -- Its deliveries are deleted in portions, and it goes with the last.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index endpoint_account on endpoint (account_id, created_at, id) where deleted_at is null;
create index endpoint_due on endpoint (prompt, due_at) where due_at is not null and paused_at is null and deleted_at is null;
create index endpoint_paused on endpoint (paused_at) where paused_at is not null and deleted_at is null;
create index endpoint_deleted on endpoint (deleted_at) where deleted_at is not null;
-- One row an event and endpoint. `due_at` of one that is being sent is when its lease ends.
create table delivery (
  id text primary key,
  -- The order of events: of one task they are delivered in it.
  seq bigint generated always as identity,
  endpoint_id text not null references endpoint,
  event_id text not null,
  event text not null,
  task_id text,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts jsonb not null default '[]',
  -- Since it was received, or replayed.
  tries int not null default 0,
  due_at timestamptz not null default now(),
  give_up_at timestamptz not null,
  lease_until timestamptz,
  -- The fencing token: only who claimed it last may write.
  epoch bigint not null default 0,
  created_at timestamptz not null default now(),
  unique (endpoint_id, event_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index delivery_due on delivery (endpoint_id, due_at, seq) where status = 'pending';
create index delivery_of_task on delivery (endpoint_id, task_id, seq) where status = 'pending' and task_id is not null;
create index delivery_leased on delivery (endpoint_id, lease_until) where lease_until is not null;
create index delivery_list on delivery (endpoint_id, seq);
create index delivery_span on delivery (endpoint_id, created_at);
create index delivery_age on delivery (created_at);
