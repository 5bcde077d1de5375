-- The order of an account's records where their moments are one: the version of the balance that each left. 0 for records of before.
alter table usage_entry add column balance_version bigint not null default 0;

-- Grants and debits are records too, under their own ids and of no model: each balance_after is the one before it plus the credits.
alter table usage_entry
  alter column model drop not null,
  alter column mode drop not null,
  alter column resolution drop not null,
  alter column price_version drop not null,
  drop constraint usage_entry_kind_check,
  drop constraint usage_entry_check,
  add constraint usage_entry_kinds check (kind in ('reservation', 'refund', 'grant', 'debit')) not valid,
  add constraint usage_entry_signs check (case when kind in ('reservation', 'debit') then credits < 0 else credits > 0 end) not valid,
  add constraint usage_entry_models check (kind in ('grant', 'debit') = (model is null)) not valid;
