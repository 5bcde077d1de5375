-- Up to where the books were found in order: a run checks what came after. One row.
create table audit_checkpoint (
  one boolean primary key default true check (one),
  -- Every entry up to here was committed, or never will be, when the run began.
  seq bigint not null,
  -- The last run that checked everything, and whether it found the money in order; while it did not, every run checks everything.
  full_at timestamptz not null,
  clean boolean not null
);

-- What each account's entries up to the checkpoint sum up to, by book.
create table audit_account (
  account_id text primary key,
  paid bigint not null,
  starter bigint not null,
  reserved bigint not null
);

alter table audit_run add column scope text not null default 'full' check (scope in ('new', 'full'));
