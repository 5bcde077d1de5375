-- What a maker tells of an attempt that runs, for operators; nothing is decided by it. As it was last told, also once it has ended. No checks: each
-- would read the whole table under the lock that adds it.
alter table attempt
  add column phase text,
  add column queue_position int,
  add column percent int,
  add column progress_at timestamptz;
