-- Many reviews ended by one command: what was asked for, by whom, and how far it is. Kept for ever, as are the decisions that it made.
create table bulk_review_end (
  id bigint generated always as identity primary key,
  provider text not null,
  -- Reviews that were opened from then on and before that; a review that is opened later is never among them.
  since_from timestamptz not null,
  since_to timestamptz not null,
  -- Only those whose cause has these words; null: any.
  cause text,
  outcome text not null check (outcome in ('accept', 'refund', 'retry')),
  reason text not null,
  -- As counted when it was asked for.
  reviews int not null check (reviews > 0),
  credits bigint not null,
  left_out int not null,
  asked_by text not null,
  asked_at timestamptz not null default now(),
  needs_second boolean not null,
  approved_by text check (approved_by <> asked_by),
  approved_at timestamptz,
  -- The last review that was looked at: those before it are done.
  after_since timestamptz,
  after_id text,
  -- Until when its polls are planned, at a part of what the provider may be asked.
  planned_until timestamptz,
  ended int not null default 0,
  ended_at timestamptz,
  check ((approved_by is null) = (approved_at is null))
);
-- The same command given again goes on with this one.
create unique index bulk_review_end_unended on bulk_review_end (provider, since_from, since_to, outcome, coalesce(cause, ''), reason) where ended_at is null;

-- The command that ended it together with others; null where it was ended alone.
alter table review_decision add column bulk_id bigint;
