-- When its client wants it cancelled, by the request's own header; null once that was asked for, or where nothing was said.
alter table task add column cancel_at timestamptz;
