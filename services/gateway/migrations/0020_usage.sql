-- What the ledger charged and gave back for an API task, as its account's usage records show it. One row a reservation, one a refund.
create table usage_entry (
  task_id text not null,
  kind text not null check (kind in ('reservation', 'refund')),
  account_id text not null references account,
  at timestamptz not null,
  model text not null,
  mode text not null,
  resolution text not null,
  billed_seconds int not null,
  price_version text not null,
  -- Negative for a reservation, positive for a refund.
  credits bigint not null check (case kind when 'reservation' then credits < 0 else credits > 0 end),
  balance_after bigint not null,
  primary key (task_id, kind)
);
create index usage_entry_account on usage_entry (account_id, at desc, task_id desc, kind desc);
