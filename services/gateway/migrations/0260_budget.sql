-- Of budgets: where the account's days and months begin at midnight, and the number of the newest message that set one.
alter table account add column time_zone text not null default 'UTC', add column budget_version bigint not null default 0;

-- Caps in credits of a key, a member or an account, as they were set here, with what the ledger last told of their spend. The ledger decides.
create table budget (
  account_id text not null references account,
  scope text not null check (scope in ('key', 'member', 'account')),
  -- Of an account, its own id.
  subject_id text not null,
  total_max bigint check (total_max >= 0),
  day_max bigint check (day_max >= 0),
  month_max bigint check (month_max >= 0),
  version bigint not null,
  set_by text not null,
  set_at timestamptz not null,
  -- The ledger's caps and balances when it told the spend. Below `version`, it has not taken these caps yet.
  applied_version bigint not null default 0,
  balance_version bigint not null default 0,
  total_spent bigint not null default 0,
  -- 2026-11-26, 2026-11: in another day or month nothing is spent yet.
  day text,
  day_spent bigint not null default 0,
  month text,
  month_spent bigint not null default 0,
  primary key (account_id, scope, subject_id)
);
