-- In which order a task's events were merged, for clients that follow them. Rows of before have none and come first. Not an identity column, which
-- would write every row anew under a lock.
create sequence task_event_seq;
alter table task_event add column seq bigint;
alter table task_event alter column seq set default nextval('task_event_seq');
