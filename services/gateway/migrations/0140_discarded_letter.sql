-- Dead letters that operators discarded: the bytes are gone, and this says what they were, who discarded them and why.
create table discarded_letter (
  topic text not null,
  "offset" bigint not null,
  key text not null,
  event_id text not null,
  consumer_group text not null,
  cause text not null,
  operator text not null,
  reason text not null,
  discarded_at timestamptz not null default now(),
  primary key (topic, "offset")
);
create index discarded_letter_latest on discarded_letter (discarded_at desc);
