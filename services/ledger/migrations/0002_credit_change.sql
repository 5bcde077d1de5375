alter type entry_kind add value if not exists 'debit';

-- Grants and, from here on, debits: one table, so that an id stands for one change of credits.
alter table credit_grant
  add column kind text not null default 'grant' check (kind in ('grant', 'debit')),
  -- Who asked; empty where nobody said.
  add column operator text not null default '',
  -- False: a debit that would have taken the balance below zero. It moved nothing, and never will under this id.
  add column applied boolean not null default true,
  -- The account's balances right after; null for grants older than these columns.
  add column available bigint,
  add column starter bigint,
  add column balance_version bigint;

-- What contradicts what, in words, where the verdict and the state don't say it.
alter table contradiction add column detail text;
