-- Whether starter credits are asked for with the opening.
alter table account_opening add column starter boolean not null default true;

-- Mailboxes whose person was let have starter credits, as a keyed hash. It outlives the person: whoever deletes themselves is not new again.
create table starter_mailbox (
  key text primary key,
  at timestamptz not null default now()
);
