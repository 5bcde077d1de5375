-- What the audits of sales found: how many purchases each looked at, and the first of its findings.
create table payment_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  purchases bigint not null,
  total bigint not null,
  findings jsonb not null
);
create index payment_audit_by_age on payment_audit (at);
