alter table attempt
  -- The event that brought the order, as it came, until the maker's answer is known: from it another attempt can be made.
  add column order_topic text,
  add column order_event bytea,
  -- Its sender ended without a word, so it may never have been sent.
  add column sender_lost boolean not null default false,
  -- Whether the maker repeats our id beside its own; where it doesn't, its own has to be believed.
  add column echoed boolean not null default true;
