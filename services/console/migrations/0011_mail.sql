-- Mails that are to be sent, so that none is lost while the mail server is away. What a mail says is forgotten once it is sent: it may hold a link that signs in.
create table mail (
  id text primary key,
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  created_at timestamptz not null default now(),
  tries integer not null default 0,
  -- Who takes it to send it moves this ahead, and so does a try in vain.
  next_try_at timestamptz not null default now(),
  sent_at timestamptz,
  -- The mail server refused it for good, or it waited for days.
  failed_at timestamptz,
  last_error text
);
create index mail_waiting on mail (next_try_at) where sent_at is null and failed_at is null;
create index mail_by_age on mail (created_at);
