-- The callbacks of an account are sent as one endpoint of it, which no client sees and no event is for.
alter table endpoint add column callbacks boolean not null default false;
create unique index endpoint_of_callbacks on endpoint (account_id) where callbacks;
-- Where a request wants to be told of its own task. Its secret is encrypted as that of an endpoint; null: nothing signs.
create table callback (
  task_id text primary key,
  endpoint_id text not null references endpoint,
  url text not null,
  secret bytea,
  -- Begins anew with each event. A request that was refused has none.
  kept_until timestamptz not null
);
create index callback_kept on callback (kept_until);
create index callback_endpoint on callback (endpoint_id);
