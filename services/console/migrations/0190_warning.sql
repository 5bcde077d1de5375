-- What members were warned of by mail, by the id of its notice, so that nothing is mailed twice.
create table warning (
  id uuid primary key,
  created_at timestamptz not null default now()
);
create index warning_by_age on warning (created_at);

-- Warnings go to those whom they concern until they end them.
alter table mail_choice add column warnings boolean not null default true;
