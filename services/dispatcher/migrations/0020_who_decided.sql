-- Who ended a review or had it tried again; null where an earlier version was told no name.
alter table review_decision add column decided_by text;

-- While one is in force, what its maker doesn't know of counts although the maker shows nothing else of ours, or misses too many at once: an operator
-- has asked the maker and says that it is so. Kept for ever.
create table maker_closing (
  id bigint generated always as identity primary key,
  maker text not null,
  reason text not null,
  closed_by text not null,
  closed_at timestamptz not null default now(),
  closed_until timestamptz not null
);
create index maker_closing_of_maker on maker_closing (maker, id);
