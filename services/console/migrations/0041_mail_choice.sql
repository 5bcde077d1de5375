-- Which e-mails a member of an account has chosen for themselves; who leaves the account leaves them.
create table mail_choice (
  account_id text not null,
  person_id text not null,
  -- Of tasks that the person made in the console; `long` are those that took longer than a minute.
  task_ended text not null default 'never' check (task_ended in ('never', 'long', 'always')),
  -- Owners are told once the paid credits are below; null: they are not.
  low_balance_credits bigint check (low_balance_credits > 0),
  -- The balance is below and nothing more is to be told of it; null: it was not looked at since the choice.
  low_balance_told boolean,
  low_balance_mailed_at timestamptz,
  -- Who takes it to look at the balance moves this ahead.
  next_look_at timestamptz not null default now(),
  primary key (account_id, person_id),
  foreign key (account_id, person_id) references membership (account_id, person_id) on delete cascade
);
create index mail_choice_to_look_at on mail_choice (next_look_at) where low_balance_credits is not null;

-- Tasks whose end a person wants to be told of. A row stays after it, so that none is told twice.
create table awaited_task (
  task_id text primary key,
  account_id text not null,
  person_id text not null references person (id) on delete cascade,
  made_at timestamptz not null default now(),
  next_ask_at timestamptz not null default now(),
  ended_at timestamptz
);
create index awaited_task_to_ask on awaited_task (next_ask_at) where ended_at is null;
create index awaited_task_by_age on awaited_task (made_at);
create index awaited_task_by_person on awaited_task (person_id);
