-- A customer of Stripe's test mode is nobody in the live one: an account has one of each.
alter table stripe_customer add column livemode boolean not null default false;
alter table stripe_customer alter column livemode drop default;
alter table stripe_customer drop constraint stripe_customer_pkey;
alter table stripe_customer add primary key (account_id, livemode);
