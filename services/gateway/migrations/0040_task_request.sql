-- The request of each task that has not ended, as it went down the line: told again where nothing is heard of the task for long. Beside the
-- task, whose row is written anew with every event.
create table task_request (
  task_id text primary key,
  event bytea not null,
  -- When it is told again unless something has been heard meanwhile.
  retell_at timestamptz not null,
  retells int not null default 0
);
create index task_request_due on task_request (retell_at);
