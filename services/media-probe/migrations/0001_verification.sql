-- One row a task with media: what has been decided about them, so that an event that comes twice is decided once.
create table verification (
  task_id text primary key,
  account_id text not null,
  state text not null default 'waiting' check (state in ('waiting', 'verified', 'rejected', 'deleted')),
  -- The managed copies that were handed on; anything else under the task's prefix is left over.
  object_keys text[] not null default '{}',
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index verification_deleted on verification (changed_at) where state = 'deleted';
