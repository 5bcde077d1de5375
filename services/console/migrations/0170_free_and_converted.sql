-- A full coupon leaves nothing to pay: such a purchase has no payment, and its credits are granted by its checkout.
alter table purchase
  drop constraint purchase_check,
  add constraint purchase_paid check (payment_intent_id is not null or paid_amount = 0 or state not in ('paid', 'granted')),
  drop constraint purchase_paid_amount_check,
  add constraint purchase_paid_amount check (paid_amount >= 0);

-- What an amount in another currency is of the payment's; null while that is not known. `conversion` is set where it is needed.
alter table reversal
  add column converted_amount bigint check (converted_amount >= 0),
  add column conversion text check (conversion in ('wanted', 'done', 'unknown'));
create index reversal_unconverted on reversal (payment_intent_id) where conversion = 'unknown';
-- Such an amount counted as the whole payment before: that stands until Stripe is asked.
update reversal set conversion = 'wanted', converted_amount = counted
from purchase
where purchase.payment_intent_id = reversal.payment_intent_id and counted > 0
  and reversal.currency <> coalesce(purchase.paid_currency, purchase.currency);
insert into job (kind, id, fairness_key) select 'reversal.convert', id, '' from reversal where conversion = 'wanted'
on conflict (kind, id) do nothing;
