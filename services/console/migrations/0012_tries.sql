-- How often something was tried lately, by address or by account: replicas count together. The key is a hash.
create table tries (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index tries_by_end on tries (ends_at);
