-- filmgate: no transaction
-- What an operator has to look at is little among all refunds and disputes.
create index concurrently if not exists reversal_unconverted on reversal (payment_intent_id) where conversion = 'unknown';
