-- filmgate: no transaction
-- For the audit of budgets: accounts without one have no row in it.
create index concurrently if not exists reservation_counted on reservation (account_id) where spend_day is not null;
