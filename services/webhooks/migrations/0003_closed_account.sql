-- When its account was closed: what waits is sent, nothing new is taken, and then it is deleted.
alter table endpoint add column closed_at timestamptz;
create index endpoint_closed on endpoint (closed_at) where closed_at is not null and deleted_at is null;
