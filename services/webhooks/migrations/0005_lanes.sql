-- Endpoints that work, but slowly, are claimed apart from those that fail: however many fail, they wait for none of them.
create index endpoint_working on endpoint (due_at)
  where due_at is not null and not prompt and failing_since is null and paused_at is null and deleted_at is null;
