-- What all dispatchers together know of asking a maker: how fast they may, until when they wait, and whether it answers. A row a maker, made at a start.
create table maker_pace (
  maker text primary key,
  -- The turn of the next attempt to be asked about; where it is in the past, some may be asked about at once.
  turn_at timestamptz not null default '-infinity',
  -- It said so itself (Retry-After), or that there are too many calls.
  held_until timestamptz,
  -- Calls in a row without an answer that says anything; from some number on its breaker is open.
  silent int not null default 0,
  -- While it is open: when one attempt may be asked about again, and how many were since it opened.
  probe_at timestamptz,
  probes int not null default 0
) with (fillfactor = 50);

-- How many attempts each dispatcher asks a maker about at this moment, as it last said.
create table maker_asker (
  maker text not null,
  owner text not null,
  asking int not null,
  seen_at timestamptz not null,
  primary key (maker, owner)
) with (fillfactor = 50);
