-- The gateway's own copy of the paid balance: what GET /credits answers. The ledger decides; the highest version wins.
create table account (
  id text primary key,
  name text not null,
  available bigint not null default 0 check (available between 0 and 9007199254740991),
  starter bigint not null default 0 check (starter between 0 and 9007199254740991),
  balance_version bigint not null default 0,
  created_at timestamptz not null default now()
);

create table api_key (
  id text primary key,
  account_id text not null references account,
  name text not null,
  -- HMAC-SHA-256 of the whole key with a pepper that is not in the database.
  secret_hash bytea not null,
  -- After a rotation the former secret works until then.
  previous_hash bytea,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_key_account on api_key (account_id);
