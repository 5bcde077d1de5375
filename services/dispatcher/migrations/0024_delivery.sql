-- What was ordered and what came. No checks: each would read the whole table under the lock that adds it.
alter table attempt
  -- The order's length, resolution, sound and price rows, as a filmgate.v1.Order without its prompt and addresses; null where an earlier version
  -- planned the attempt.
  add column order_terms bytea,
  -- The copied output as it was measured, with what of the order it lacks; null where it was not measured.
  add column delivery jsonb,
  -- The price of what came where that is less than the reservation.
  add column due_credits bigint;
