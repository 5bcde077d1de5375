-- What was really paid, which is another amount than the pack's for a purchase in review. Null before a payment, and of those that a version
-- before has heard of: then it is the pack's.
alter table purchase
  add column paid_amount bigint check (paid_amount > 0),
  add column paid_currency text;

update purchase set paid_amount = told.amount, paid_currency = told.currency
from (
  select distinct on (fact ->> 'purchaseId', fact ->> 'paymentIntentId') fact ->> 'purchaseId' as purchase_id,
    fact ->> 'paymentIntentId' as payment_intent_id, (fact ->> 'amount')::bigint as amount, fact ->> 'currency' as currency
  from stripe_event
  where fact ->> 'kind' in ('session', 'payment') and fact ->> 'paymentIntentId' is not null and (fact ->> 'amount')::bigint > 0
) told
where purchase.state = 'review' and purchase.id::text = told.purchase_id and purchase.payment_intent_id = told.payment_intent_id;
