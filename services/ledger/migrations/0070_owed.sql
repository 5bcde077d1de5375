-- Debits beyond the balance, for payments that were returned or disputed: what the balance did not have is owed, and the next paid grants repay
-- it before they become available. A version before leaves the columns as they are, and grants without repaying.
alter type book add value if not exists 'owed';

alter table account add column owed bigint not null default 0 check (owed between 0 and 9007199254740991);

-- `owed`: how many of the credits moved what is owed and no balance.
alter table credit_grant
  add column beyond_balance boolean not null default false,
  add column owed bigint not null default 0;

-- As `-sum(credits)` of the book `owed`.
alter table audit_account add column owed bigint not null default 0;
