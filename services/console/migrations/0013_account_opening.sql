-- Accounts whose opening at the gateway, or whose starter credits, are still to be asked for; a row goes when both are done.
create table account_opening (
  account_id text primary key references account (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index account_opening_waiting on account_opening (next_try_at);
