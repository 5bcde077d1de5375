-- An account as the console knows it: who may enter. Its credits, keys and tasks are the gateway's.
create table account (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now(),
  -- Deletion was asked for: nobody enters any more; what must be kept stays with the gateway and the ledger.
  closed_at timestamptz
);

create table membership (
  account_id text not null references account (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (account_id, person_id)
);
create index membership_by_person on membership (person_id);

-- Who did what, in an account or with their own sign-in. Rows are only ever added.
create table audit_act (
  id bigint generated always as identity primary key,
  account_id text,
  person_id text,
  -- As it was then: a person who is deleted later is still who did it.
  person_email text not null,
  act text not null,
  subject text,
  details jsonb not null default '{}',
  address text,
  at timestamptz not null default now()
);
create index audit_act_by_account on audit_act (account_id, id desc);
create index audit_act_by_person on audit_act (person_id, id desc);

-- A form that was sent twice does its act once.
create table form_taken (
  id uuid primary key,
  taken_at timestamptz not null default now()
);
create index form_taken_by_age on form_taken (taken_at);
