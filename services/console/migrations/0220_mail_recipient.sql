-- filmgate: no transaction
-- An operator reads the mails of a person who says that none came.
create index concurrently if not exists mail_by_recipient on mail (recipient, created_at desc);
