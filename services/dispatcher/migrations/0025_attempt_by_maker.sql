-- filmgate: no transaction
-- Which attempts a maker must show, the last sent first: an id has its order's age, not its own.
create index concurrently if not exists attempt_by_maker on attempt (maker, created_at);
