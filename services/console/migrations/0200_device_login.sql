-- A command line that asks for an API key (RFC 8628). The key itself is never here: it is made when the device code is exchanged.
create table device_login (
  device_code_hash bytea primary key,
  user_code text not null unique,
  -- What the caller says of itself, and where it called from.
  device_name text not null,
  address text not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  -- Who approved it, and the key to make.
  person_id text references person (id) on delete cascade,
  account_id text references account (id) on delete cascade,
  key_name text,
  key_expires_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (state not in ('approved', 'used') or (person_id is not null and account_id is not null and key_name is not null))
);
create index device_login_by_end on device_login (expires_at);
