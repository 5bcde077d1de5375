-- filmgate: no transaction
-- Money that nothing was granted for, which is counted with every scrape and is little among all that Stripe tells.
create index concurrently if not exists stripe_event_unmatched on stripe_event (id)
  where outcome in ('no_such_purchase', 'second_payment', 'other_mode');
