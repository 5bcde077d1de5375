-- What an operator set in place of the services' settings; null: those hold. The version orders what the ledger is told.
alter table account
  add column requests_a_minute int,
  add column unfinished_tasks_max int,
  add column limits_version bigint not null default 0;
