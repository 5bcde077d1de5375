-- Rate limits no longer use these tables: the version before does, so the next one drops them (charts/UPGRADING.md). What the replicas
-- agreed on: a round says where tokens are taken from, and who has to enter it.
create table rate_limit_round (
  one boolean primary key default true check (one),
  round bigint not null,
  -- Part of the names of its buckets: no two rounds of any database share one.
  name text not null,
  -- The history of writes (master_replid) of the Redis that tokens are taken from. Null: each replica takes from its share.
  store text,
  members uuid[] not null
);
insert into rate_limit_round (round, name, members) values (0, gen_random_uuid()::text, '{}');

create table rate_limit_replica (
  id uuid primary key,
  -- The last it has entered.
  round bigint not null,
  -- It admits nothing past this; other replicas wait for it until then.
  lease_until timestamptz not null,
  -- The Redis that it reaches.
  sees text,
  left_at timestamptz,
  -- What it had admitted of the last minute when it entered a round of shares, or left.
  told jsonb,
  told_at timestamptz
);
