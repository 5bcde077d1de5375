-- A contradiction that comes again after it was acknowledged is open again; what was said of it before is kept.
alter table contradiction
  add column times int not null default 1,
  add column acknowledgements jsonb not null default '[]';
