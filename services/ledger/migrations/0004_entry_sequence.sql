-- The moment of an account's last posting: what is posted after it, under the account's lock, is never dated before it.
alter table account add column posted_at timestamptz;

-- `balance_version`: the version of the account's balances right after, the order of its entries. `seq`: what came after the auditor's
-- checkpoint. Both null for entries of before; no row is rewritten.
alter table entry add column balance_version bigint, add column seq bigint;
create sequence entry_seq owned by entry.seq;
alter table entry alter column seq set default nextval('entry_seq');
