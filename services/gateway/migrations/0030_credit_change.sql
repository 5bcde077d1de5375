-- Grants and debits that operators asked for, and what the ledger made of them. An id stands for one change, whoever asks again.
create table credit_change (
  id text primary key,
  account_id text not null references account,
  kind text not null check (kind in ('grant', 'debit')),
  balance text not null check (balance in ('paid', 'starter')),
  credits bigint not null check (credits > 0),
  reason text not null,
  operator text not null,
  asked_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'applied', 'declined')),
  -- Why nothing moved.
  refusal text,
  -- The account's balances right after the decision.
  available bigint,
  starter bigint,
  decided_at timestamptz,
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'declined') = (refusal is not null))
);
create index credit_change_account on credit_change (account_id, asked_at);
