-- How long the attempt's provider may run it after its submit; null where an earlier version planned it.
alter table attempt add column generation_ms_max int;
