-- Who an account is at Stripe: its saved cards, invoices and portal are the customer's.
create table stripe_customer (
  account_id text primary key,
  customer_id text not null unique,
  created_at timestamptz not null default now()
);

-- A pack that somebody asked to buy. What was paid is kept whatever becomes of the account, so nothing refers to it.
create table purchase (
  -- The form's id, and the idempotency key of the checkout.
  id uuid primary key,
  account_id text not null,
  person_id text not null,
  pack_id text not null,
  pack_version int not null,
  pack_name text not null,
  credits bigint not null check (credits > 0),
  -- In the currency's smallest unit.
  amount bigint not null check (amount > 0),
  currency text not null,
  livemode boolean not null,
  state text not null default 'created'
    check (state in ('created', 'open', 'processing', 'paid', 'granted', 'expired', 'failed', 'review')),
  session_id text unique,
  checkout_url text,
  payment_intent_id text unique,
  invoice_id text,
  -- Why an operator has to look at it.
  review text,
  created_at timestamptz not null default now(),
  heard_at timestamptz,
  paid_at timestamptz,
  granted_at timestamptz,
  check (payment_intent_id is not null or state not in ('paid', 'granted'))
);
create index purchase_by_account on purchase (account_id, id desc);
create index purchase_in_review on purchase (id) where state = 'review';
