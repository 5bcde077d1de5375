-- A full coupon leaves nothing to pay: such a purchase has no payment, and its credits are granted by its checkout.
-- The checks are not validated, as that reads the whole table under the lock that adds them: existing rows kept the
-- stricter rules, and new columns are null.
alter table purchase
  drop constraint purchase_check,
  add constraint purchase_paid check (
    payment_intent_id is not null or coalesce(paid_amount = 0, false) or state not in ('paid', 'granted')
  ) not valid,
  drop constraint purchase_paid_amount_check,
  add constraint purchase_paid_amount check (paid_amount >= 0) not valid;

-- What an amount in another currency is of the payment's; null while that is not known. `conversion` is set where it is needed.
alter table reversal
  add column converted_amount bigint,
  add column conversion text,
  add constraint reversal_converted_amount check (converted_amount >= 0) not valid,
  add constraint reversal_conversion check (conversion in ('wanted', 'done', 'unknown')) not valid;
