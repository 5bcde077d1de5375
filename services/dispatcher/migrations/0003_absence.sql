alter table attempt
  -- When its maker first and last said that it knows nothing of it, since it last knew of it; count: how often while it showed others of ours.
  add column absence_first_at timestamptz,
  add column absence_last_at timestamptz,
  add column absence_count int not null default 0,
  -- An operator named the maker's id: a person has seen it there, so absence ends nothing.
  add column operator_accepted boolean not null default false;

-- What a maker accepted and then knew nothing of, to see whether many vanish at once.
create index attempt_vanished on attempt (maker, absence_last_at) where absence_first_at is not null and accepted_at is not null;
