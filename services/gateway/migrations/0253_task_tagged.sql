-- filmgate: no transaction
-- Few tagged tasks among many of an account. A tag's own index would be shared by all accounts, and cost each POST more.
create index concurrently if not exists task_tagged on task (account_id, id) where tags is not null;
