-- The request of each task that has not ended, as it was sent: it is told again when no event of the task has come for long. Beside the
-- task, whose row is written anew with every event.
create table task_request (
  task_id text primary key,
  event bytea not null,
  -- When it is told again unless an event has come meanwhile.
  retell_at timestamptz not null,
  retells int not null default 0
);
create index task_request_due on task_request (retell_at);
