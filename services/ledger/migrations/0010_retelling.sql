-- What told of the reservation, as it went out, until the reservation has ended: whoever missed it is told it again. Null where an earlier
-- version reserved.
alter table reservation add column reserved_event bytea;

-- Requests that an operator ended before any credits were reserved. Kept for ever; the refusal itself is forgotten with the others.
create table release (
  task_id text primary key,
  account_id text not null,
  reason text not null,
  released_by text not null,
  released_at timestamptz not null
);
