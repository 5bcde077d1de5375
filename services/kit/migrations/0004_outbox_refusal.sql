-- An event that the broker refuses by itself is tried again then, after twice as long each time. What was never refused has no such time and
-- no entry in the index.
alter table outbox add column refusals int not null default 0, add column next_try_at timestamptz;
create index outbox_refused on outbox (next_try_at) where next_try_at is not null;
