-- By which the console takes a pause that owners are mailed of. Null once it has, once the pause ends, and of pauses from before.
alter table endpoint add column pause_notice uuid;
create index endpoint_pause_notice on endpoint (paused_at) where pause_notice is not null;
