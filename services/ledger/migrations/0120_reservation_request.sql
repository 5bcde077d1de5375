-- The request of the reservation as the gateway sent it, without prompt, inputs and values: a gateway that lost the task makes it again by
-- this, with its Idempotency-Key. Null where the gateway was of a version before. Kept as long as the reservation, as keys are bound for ever.
alter table reservation add column request bytea;
