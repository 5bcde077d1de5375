-- How many events told of the progress of an attempt: a provider that tells anything at all can't fill its task's history.
alter table attempt add column progress_events smallint not null default 0;
