-- Accounts that were closed, until clients' programs have been told of all that they are to hear of them.
create table account_closing (
  account_id text primary key references account,
  closed_at timestamptz not null default now()
);

-- The last notice of an account: its webhook endpoints are told of nothing after it.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('task_ended', 'task_in_review', 'balance_low', 'account_closed'));
alter table notice drop constraint notice_check;
alter table notice add constraint notice_check check ((kind in ('balance_low', 'account_closed')) = (task_id is null));
