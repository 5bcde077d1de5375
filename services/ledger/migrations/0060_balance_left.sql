-- The paid balance right after the credits were held, and after they were returned, each with its version: whoever missed the event is told
-- them again. Null where an earlier version posted.
alter table reservation
  add column reserved_available bigint,
  add column reserved_version bigint,
  add column refunded_available bigint,
  add column refunded_version bigint;
