-- A person is asked into an account by e-mail. The link's secret is kept as its hash alone; whoever has the link still needs the address it was sent to.
create table invitation (
  id text primary key,
  account_id text not null references account (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null default now(),
  -- The latest link's: sending it again makes another link.
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create unique index invitation_open on invitation (account_id, email) where accepted_at is null and revoked_at is null;
create index invitation_by_email on invitation (email);
