-- Files that accounts put into the uploads bucket, each for a day. `finding`: what checking it found, once it has arrived.
create table upload (
  id text primary key,
  account_id text not null,
  ending text not null,
  bytes bigint not null,
  created_at timestamptz not null,
  finding jsonb
);
create index upload_by_account on upload (account_id, created_at);
create index upload_by_age on upload (created_at);
