-- The lines that a price is the sum of, as an estimate tells them; null where a version before took the request.
alter table task add column breakdown jsonb;
alter table usage_entry add column breakdown jsonb;
