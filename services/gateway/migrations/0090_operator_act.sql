-- What operators did to accounts, keys and tasks, who and when. A grant or a debit keeps its own operator in credit_change.
create table operator_act (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator text not null,
  act text not null,
  account_id text not null,
  -- The key or the task that it was done to; null where that is the account itself.
  subject text
);
create index operator_act_account on operator_act (account_id, id);
create index operator_act_subject on operator_act (subject, id) where subject is not null;
