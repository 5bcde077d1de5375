-- What the library that signs people in keeps, under our names.
create table session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- The last time it was used, to some minutes: one that rests for too long ends.
  updated_at timestamptz not null default now(),
  -- However much it is used, it ends then.
  expires_at timestamptz not null,
  -- When the person last proved to be there; a change of what signs them in needs a recent one.
  confirmed_at timestamptz not null default now()
);
create index session_by_person on session (person_id);
create index session_by_end on session (expires_at);

-- How a person signs in: a password's hash, or who they are at another provider.
create table credential (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  provider_id text not null,
  subject_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, subject_id)
);
create index credential_by_person on credential (person_id);

-- What was sent or begun and is waited for: a reset of a password, a challenge, a state of OIDC. Taken once.
create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_by_identifier on verification (identifier);
create index verification_by_end on verification (expires_at);

create table passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
create index passkey_by_person on passkey (person_id);

-- Secret and backup codes are encrypted with the console's secret.
create table two_factor (
  id text primary key,
  person_id text not null unique references person (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index two_factor_by_secret on two_factor (secret);
