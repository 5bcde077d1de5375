-- How long the last pause was for which a provider that limits our rate was left alone, halved by each answer since: the next one is twice as long.
alter table provider_pace add column pause_ms float8 not null default 0;

-- Since when its provider says what we don't understand of an accepted attempt, such as an end without a video; null while it says what we do.
alter table attempt add column unclear_since timestamptz;
