-- What Stripe has told, by the event's id: once, however often it is delivered. Only what is needed of it is kept, nothing of who paid.
create table stripe_event (
  id text primary key,
  type text not null,
  -- Nothing where the type needs no work.
  fact jsonb,
  livemode boolean not null,
  told_at timestamptz not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  outcome text
);
create index stripe_event_unapplied on stripe_event (received_at) where applied_at is null;
create index stripe_event_by_age on stripe_event (received_at);
