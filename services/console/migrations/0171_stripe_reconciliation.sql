-- Reconciliations of what is kept here with Stripe's own lists, by the clock and by hand, and where each goes on.
create table stripe_reconciliation (
  id text primary key,
  -- Null where the clock did.
  requested_by text,
  reason text,
  from_at timestamptz not null,
  to_at timestamptz not null,
  dry_run boolean not null,
  livemode boolean not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- The list that is read, and its last object that was; `compare` once all are read.
  step text not null default 'charges' check (step in ('charges', 'refunds', 'disputes', 'compare')),
  after text,
  pages bigint not null default 0,
  charges bigint not null default 0,
  refunds bigint not null default 0,
  disputes bigint not null default 0,
  -- Of what was listed: that which no event had told.
  missed bigint not null default 0,
  -- What differs still, and the first of it.
  total bigint not null default 0,
  findings jsonb not null default '[]',
  fault text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index stripe_reconciliation_by_age on stripe_reconciliation (created_at);
create unique index stripe_reconciliation_by_hand on stripe_reconciliation (state) where state = 'running' and requested_by is not null;

-- Of a reconciliation under way: what Stripe listed of what is known here, and whole what differed or could not be read.
create table stripe_listed (
  reconciliation_id text not null references stripe_reconciliation (id) on delete cascade,
  object_id text not null,
  fact jsonb,
  told_at timestamptz not null,
  fault text,
  primary key (reconciliation_id, object_id)
);
create index stripe_listed_different on stripe_listed (reconciliation_id, object_id) where fact is not null or fault is not null;

-- What differs from Stripe since the last reconciliation of its period: findings of the audit of sales.
create table stripe_difference (
  -- A payment, a refund or a dispute at Stripe.
  object_id text primary key,
  purchase_id uuid,
  rule text not null,
  detail text not null,
  found_at timestamptz not null default now()
);
