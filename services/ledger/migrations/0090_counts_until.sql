-- Until when a review counts towards its account's unfinished tasks. Null before a review; a version before leaves it null in a review too, which
-- is read as an hour after that began.
alter table reservation add column counts_until timestamptz;

-- Of a request that met the limit: the tasks that counted, so that the refusal is published again as it was.
alter table declined add column unfinished jsonb;
