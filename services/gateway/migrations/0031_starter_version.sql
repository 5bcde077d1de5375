-- The version that told `starter` last: CreditsReserved tells the paid balance alone, and BalanceChanged both under the same version.
-- Null until it is told the next time.
alter table account add column starter_version bigint;
