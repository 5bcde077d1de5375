-- filmgate: no transaction
-- What moved money behind its end is told once, and is little among all that Stripe tells.
create index concurrently if not exists stripe_event_reopened on stripe_event (id) where outcome = 'reopened';
