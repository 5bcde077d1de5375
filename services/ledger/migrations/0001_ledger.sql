create type reservation_state as enum ('reserved', 'review', 'refund_pending', 'settled', 'refunded');
create type generation_surface as enum ('api', 'web');
create type balance as enum ('paid', 'starter');
create type entry_kind as enum ('grant', 'reserve', 'settle', 'refund');
create type book as enum ('customer_paid', 'customer_starter', 'reserved', 'revenue', 'issued');

-- An account's balances as its entries sum up to, and its open reservations. Whoever changes anything of an account holds this row's lock.
create table account (
  id text primary key,
  available bigint not null default 0 check (available between 0 and 9007199254740991),
  starter bigint not null default 0 check (starter between 0 and 9007199254740991),
  unfinished int not null default 0 check (unfinished >= 0),
  -- Grows with every change of available or starter.
  balance_version bigint not null default 0,
  opened_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- A grant delivered twice is granted once.
create table credit_grant (
  id text primary key,
  account_id text not null references account,
  balance balance not null,
  credits bigint not null check (credits > 0),
  reason text not null,
  granted_at timestamptz not null
);

-- Credits held for one task until its one ending.
create table reservation (
  task_id text primary key,
  account_id text not null references account,
  surface generation_surface not null,
  -- What was taken from either balance; a refund returns it to where it came from.
  paid bigint not null check (paid >= 0),
  starter bigint not null check (starter >= 0),
  price_version text not null,
  state reservation_state not null,
  refunded bigint not null default 0,
  reserved_at timestamptz not null,
  changed_at timestamptz not null,
  ended_at timestamptz,
  check (paid + starter between 1 and 9007199254740991),
  check (surface = 'web' or starter = 0),
  check (refunded between 0 and paid + starter),
  check ((state = 'refunded') = (refunded > 0)),
  check ((state in ('settled', 'refunded')) = (ended_at is not null))
) with (fillfactor = 80);
create index reservation_open on reservation (state, account_id) where state in ('reserved', 'review', 'refund_pending');

create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception 'reservation of % may not move from % to % nor change its terms', old.task_id, old.state, new.state
    using errcode = 'check_violation';
end $$;

-- The last guard of books/reservation-states.ts: forward only, ended once, the terms as they were reserved.
create trigger reservation_forward_only before update on reservation for each row
when (
  (old.task_id, old.account_id, old.paid, old.starter, old.price_version) is distinct from (new.task_id, new.account_id, new.paid, new.starter, new.price_version)
  or (old.state, new.state) not in (
    ('reserved', 'review'), ('reserved', 'settled'), ('reserved', 'refund_pending'),
    ('review', 'settled'), ('review', 'refund_pending'),
    ('refund_pending', 'refunded')
  )
)
execute function refuse_move();

-- Requests that were told no, so that a second delivery can't be told yes. Forgotten some time after admit_by, from when on it would be refused anyway.
create table declined (
  task_id text primary key,
  account_id text not null,
  reason text not null,
  required bigint not null,
  available bigint not null,
  admit_by timestamptz not null,
  declined_at timestamptz not null
);
create index declined_admit_by on declined (admit_by);

-- Double entry. A transaction is all entries of one source (a task or a grant) and kind, and sums to zero. Kept for ever.
create table entry (
  source_id text not null,
  kind entry_kind not null,
  book book not null,
  account_id text not null,
  credits bigint not null check (credits <> 0),
  at timestamptz not null,
  primary key (source_id, kind, book)
);
-- A reservation ends once: either of its endings takes it out of this book.
create unique index entry_one_ending on entry (source_id) where book = 'reserved' and kind in ('settle', 'refund');

create function refuse_unbalanced() returns trigger language plpgsql as $$
declare
  unbalanced record;
begin
  select source_id, kind into unbalanced from inserted group by source_id, kind having sum(credits) <> 0 limit 1;
  if found then
    raise exception 'the % entries of % do not sum to zero', unbalanced.kind, unbalanced.source_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger entry_balanced after insert on entry referencing new table as inserted for each statement execute function refuse_unbalanced();

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'entries are kept as they were written' using errcode = 'check_violation';
end $$;
create trigger entry_kept before update or delete or truncate on entry for each statement execute function refuse_rewriting();

-- Verdicts that can't be true together with what is in the books. No money moves; an operator acknowledges them.
create table contradiction (
  task_id text not null,
  verdict text not null,
  account_id text not null,
  -- The reservation's state when the verdict came; null where there is no such reservation of that account.
  state reservation_state,
  seen_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_reason text,
  primary key (task_id, verdict)
);
create index contradiction_open on contradiction (seen_at) where acknowledged_at is null;

-- What the auditor found, whoever ran it: the service, its command or an operator.
create table audit_run (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  findings jsonb not null,
  checked jsonb not null
);
create index audit_run_at on audit_run (at);
