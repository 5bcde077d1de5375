-- Caps in credits of a key, a member or an account. A row stays once its caps are gone, so that an older message never brings them back.
create table budget (
  account_id text not null references account,
  scope text not null check (scope in ('key', 'member', 'account')),
  -- Of an account, its own id.
  subject_id text not null,
  total_max bigint check (total_max >= 0),
  day_max bigint check (day_max >= 0),
  month_max bigint check (month_max >= 0),
  version bigint not null,
  primary key (account_id, scope, subject_id)
);

-- What the reservations of a period came to, less what was returned of them. `period`: total, a day (2026-11-26) or a month (2026-11).
create table budget_spend (
  account_id text not null references account,
  scope text not null check (scope in ('key', 'member', 'account')),
  subject_id text not null,
  period text not null,
  spent bigint not null check (spent >= 0),
  primary key (account_id, scope, subject_id, period)
) with (fillfactor = 50);

-- Null until the account has its first budget: from then on its spend is counted, by the days and months of this time zone. A version before
-- counts nothing, so budgets are set once every replica is of this one.
alter table account add column time_zone text, add column budget_version bigint not null default 0;

-- Where its credits are counted; null where they are not. A refund is counted in the same day and month, whenever it comes.
alter table reservation add column spend_day text, add column key_id text, add column member_id text;

-- Of a request that a budget refused: that budget, so that the refusal is published again as it was.
alter table declined add column exceeded jsonb;
