-- Grants and debits above the limit of one operator: each waits here until another one approves it, and becomes a credit_change then.
create table awaited_change (
  id text primary key,
  account_id text not null references account,
  kind text not null check (kind in ('grant', 'debit')),
  balance text not null check (balance in ('paid', 'starter')),
  credits bigint not null check (credits > 0),
  reason text not null,
  operator text not null,
  asked_at timestamptz not null,
  approved_by text check (approved_by <> operator),
  approved_at timestamptz,
  check ((approved_by is null) = (approved_at is null))
);
create index awaited_change_waiting on awaited_change (asked_at) where approved_by is null;
