-- filmgate: no transaction
-- A few bytes for 32 pages: entries are only added, so that their order on disk is nearly theirs.
create index concurrently if not exists entry_by_seq on entry using brin (seq) with (pages_per_range = 32, autosummarize = on);
