-- Money that went back or is held back: a refund or a dispute of a payment, by its id at Stripe. It may be heard of before the payment.
create table reversal (
  id text primary key,
  kind text not null check (kind in ('refund', 'dispute')),
  payment_intent_id text not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  status text not null,
  told_at timestamptz not null,
  -- The amount that the changes made so far count it with, and how many they are.
  counted bigint not null default 0,
  changes int not null default 0,
  created_at timestamptz not null default now()
);
create index reversal_by_payment on reversal (payment_intent_id);

-- What the ledger is asked for, in this order for each purchase, until it has decided.
create table payment_change (
  -- The change's id at the gateway.
  id text primary key,
  purchase_id uuid not null references purchase (id),
  number int not null,
  kind text not null check (kind in ('grant', 'debit')),
  credits bigint not null check (credits > 0),
  reason text not null,
  state text not null default 'pending' check (state in ('pending', 'applied', 'refused')),
  refusal text,
  -- Of a debit: what the balance did not have.
  owed bigint,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  unique (purchase_id, number)
);
create index payment_change_undecided on payment_change (created_at) where state <> 'applied';
