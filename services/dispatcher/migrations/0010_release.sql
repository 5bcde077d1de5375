-- Tasks that an operator ended where no order had come, or nothing else could. Kept for ever; the attempt that stands for it is forgotten with the others.
create table release (
  task_id text primary key,
  account_id text not null,
  reason text not null,
  released_by text not null,
  released_at timestamptz not null default now()
);
