-- A deleted task is there for its Idempotency-Key and its account's books alone; its output is gone.
alter table task add column deleted_at timestamptz;

-- POSTs of /openai/v1/videos without an Idempotency-Key, each with the retries that have joined it: `counts` are their
-- x-stainless-retry-count, 0 of the first. `fingerprint`: of the fields and the file as they came.
create table openai_request (
  id uuid primary key,
  key_id text not null,
  fingerprint bytea not null,
  idempotency_key text not null,
  counts int[] not null,
  opened_at timestamptz not null,
  last_at timestamptz not null
);
create index openai_request_alike on openai_request (key_id, fingerprint, opened_at);
create index openai_request_age on openai_request (last_at);
