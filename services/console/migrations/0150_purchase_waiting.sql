-- filmgate: no transaction
-- What is not paid or not granted yet is little among all that was ever bought: operators look at it first.
create index concurrently if not exists purchase_waiting on purchase (id) where state in ('created', 'open', 'processing', 'paid');
