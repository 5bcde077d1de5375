-- Thresholds of budgets that reservations have crossed: the highest of each cap in each of its periods, so that one is mailed of once.
create table budget_crossing (
  account_id text not null,
  scope text not null check (scope in ('key', 'member', 'account')),
  subject_id text not null,
  period text not null check (period in ('total', 'day', 'month')),
  -- Which day or month, in the account's time zone: 2026-11-26, 2026-11. Of a total, `total`.
  label text not null,
  -- A cap that is changed is another one.
  cap bigint not null,
  percent int not null,
  spent bigint not null,
  at timestamptz not null,
  -- By which the console takes it; null once it has.
  notice uuid,
  primary key (account_id, scope, subject_id, label, cap)
);
create index budget_crossing_notice on budget_crossing (at, notice) where notice is not null;
create index budget_crossing_age on budget_crossing (at) where period <> 'total';
