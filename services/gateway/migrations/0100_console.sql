-- What the console asks for (docs/decisions/0713). A closed account takes no new generation and has no key.
alter table account
  add column owed bigint not null default 0 check (owed between 0 and 9007199254740991),
  add column closed_at timestamptz;

-- For the console alone: the API shows neither. Null where a version before took the task or told its end.
alter table task add column prompt text, add column poster_url text;

-- Where the task of a record was asked for; null for grants and debits, and for what a version before recorded, which was of the API. `starter`:
-- how much of the credits was of the starter balance, with their sign.
alter table usage_entry add column surface text, add column starter bigint not null default 0;

-- `owed`: how many of the credits moved no balance, once that is decided.
alter table credit_change add column beyond_balance boolean not null default false, add column owed bigint;

-- Starter credits are granted once a person, for ever: this row outlives the account.
create table starter_grant (
  person text primary key,
  account_id text not null references account,
  credits bigint not null check (credits > 0),
  operator text not null,
  granted_at timestamptz not null
);
