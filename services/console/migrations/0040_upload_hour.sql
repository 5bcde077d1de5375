-- How much of an hour an account has put into the uploads bucket, so that it stays within its bounds. Rows of past hours mean nothing.
create table upload_hour (
  account_id text not null references account (id) on delete cascade,
  hour timestamptz not null,
  uploads integer not null,
  bytes bigint not null,
  primary key (account_id, hour)
);
create index upload_hour_by_age on upload_hour (hour);
