-- One try at a maker. The row is committed before the maker is called, so that a crash never hides a submit.
create table attempt (
  -- Ours; the maker gets it as the client's own id, and in the callback URL.
  id text primary key,
  task_id text not null,
  account_id text not null,
  -- The first try of a task is 1; the next one exists only after a definite refusal of the one before.
  number int not null,
  -- Pinned: every later call about this attempt goes to the maker that got the submit. Empty where no maker could be asked.
  maker text not null,
  maker_model text not null,
  model text not null,
  state text not null check (state in ('sending', 'unknown', 'accepted', 'overdue', 'copying', 'refused', 'completed', 'failed')),
  maker_task_id text,
  -- What the client reads of a refusal or a failure.
  code text,
  -- For operators.
  cause text,
  traceparent text,
  -- From then on a look-up that finds nothing proves that nothing was accepted.
  absence_proves_at timestamptz not null,
  accepted_at timestamptz,
  -- Set while the outcome is held for review.
  review_since timestamptz,
  -- Chosen before copying begins, so that copying again after a crash writes the same object.
  output_key text,
  output_bytes bigint,
  output_sha256 text,
  output_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (task_id, number),
  check (maker_task_id is not null or state not in ('accepted', 'overdue', 'copying', 'completed', 'failed')),
  check (output_key is not null or state not in ('copying', 'completed'))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index attempt_in_review on attempt (review_since) where review_since is not null;
create index attempt_output_expiring on attempt (output_expires_at) where output_expires_at is not null;

-- How an operator ended a review, and why. Never deleted.
create table review_decision (
  id bigint generated always as identity primary key,
  attempt_id text not null,
  task_id text not null,
  decision text not null check (decision in ('accept', 'refund')),
  maker_task_id text,
  reason text not null,
  decided_at timestamptz not null default now()
);
create index review_decision_of_task on review_decision (task_id);
