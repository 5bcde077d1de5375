-- What a client sees of a generation: a merge of every step's events. Each event owns its own columns; ranks only grow.
create table task (
  id text primary key,
  account_id text not null references account,
  key_id text not null,
  surface text not null,
  idempotency_key text not null,
  -- SHA-256 of the request's canonical JSON.
  fingerprint bytea not null,
  -- False once admission was declined before credits were reserved: the Idempotency-Key is free again.
  binds_key boolean not null default true,
  model text not null,
  mode text not null,
  resolution text not null,
  billed_seconds int not null,
  price_version text not null,
  phase text not null default 'admitting',
  phase_rank smallint not null default 0,
  billing_status text,
  billing_rank smallint not null default 0,
  credits_used bigint not null default 0,
  credits_refunded bigint not null default 0,
  video_url text,
  error_code text,
  error_message text,
  error_details jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  admit_by timestamptz not null
) with (fillfactor = 80);
create unique index task_idempotency on task (key_id, idempotency_key) where binds_key;
create index task_account on task (account_id, id);

-- What happened to a task, for operators; one row an event, whatever number of times it was delivered.
create table task_event (
  task_id text not null,
  event_id uuid not null,
  kind text not null,
  at timestamptz not null,
  details jsonb not null,
  primary key (task_id, event_id)
);
