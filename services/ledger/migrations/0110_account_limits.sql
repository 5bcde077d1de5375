-- How many unfinished tasks an operator lets an account have; null: as many as the service's setting says. A setting of an older version changes nothing.
alter table account add column unfinished_max int, add column limits_version bigint not null default 0;
