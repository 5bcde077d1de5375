-- What an attempt brings us and what it costs. Money in millionths of a US dollar, a maker's units in millionths of one. Null: not known, which is not 0.
-- No checks: each would read the whole table under the lock that adds it.
alter table attempt
  -- The reservation of its order, which its client pays where this attempt completes.
  add column credits bigint,
  -- By its route's prices when it was planned: what it costs where it ends in a video, and what the maker takes for one of its units.
  add column listed_micro_usd bigint,
  add column unit_micro_usd bigint,
  -- As the maker told it, whatever the attempt ended as: money, or how many of its units.
  add column billed_micro_usd bigint,
  add column billed_micro_units bigint;
