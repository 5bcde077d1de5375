-- What checking a file found, by its content: the same bytes are decoded once. A row goes with the time for which an upload is kept.
create table verdict (
  account_id text not null,
  sha256 text not null,
  -- Of our code and its tools: another version judges anew.
  checker text not null,
  -- Of the limits that it was checked against.
  limits text not null,
  finding jsonb not null,
  -- Of the children that found it.
  processor_seconds double precision not null,
  judged_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, sha256, checker, limits)
);
create index verdict_expiry on verdict (expires_at);
