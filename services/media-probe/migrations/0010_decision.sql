-- The event that told of a task's decision, as it went out: whoever missed it is told it again. Kept while the copies are, and some days.
create table decision (
  task_id text primary key,
  event bytea not null,
  decided_at timestamptz not null default now()
);
create index decision_age on decision (decided_at);
