-- What operators did on the console's pages, with why. A row is there before a service is asked, so that no act is without one.
create table operator_act (
  id bigint generated always as identity primary key,
  person_id text not null,
  -- As they were then: a person who is deleted later is still who did it.
  email text not null,
  role text not null check (role in ('read', 'support', 'money')),
  act text not null,
  subject text not null,
  account_id text,
  reason text not null,
  details jsonb not null default '{}',
  address text,
  at timestamptz not null default now(),
  -- Null while no answer has come; `unknown` where none will, and it may have been done all the same.
  outcome text check (outcome in ('done', 'refused', 'unknown')),
  answer text,
  ended_at timestamptz
);
create index operator_act_by_account on operator_act (account_id, id desc) where account_id is not null;
