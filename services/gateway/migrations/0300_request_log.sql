-- Requests of the API's clients, for 30 days: those that change something, and those that were refused.
create table request_log (
  id bigint generated always as identity primary key,
  account_id text not null,
  key_id text not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms integer not null,
  -- X-Request-Id. Not unique: it is the trace's id, which a client may choose.
  request_id uuid not null,
  task_id text,
  -- The ErrorResponse, as it was sent.
  refusal text
);
create index request_log_account on request_log (account_id, at desc, id desc);
create index request_log_refused on request_log (account_id, at desc, id desc) where status >= 400;
create index request_log_request on request_log (request_id);

-- All requests, reads too, by the day in UTC on which they were answered.
create table request_count (
  account_id text not null,
  day date not null,
  key_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  requests bigint not null,
  primary key (account_id, day, key_id, method, route, status)
);
create index request_count_day on request_count using brin (day);
