-- Until when a task in review counts towards its account's unfinished tasks; null for one that counts until it ends.
alter table task add column counts_until timestamptz;
