alter table attempt
  -- From then on a copy is tried again and again, for so long before it is held for review.
  add column copying_since timestamptz;

alter table review_decision
  drop constraint review_decision_decision_check,
  add constraint review_decision_decision_check check (decision in ('accept', 'refund', 'retry'));
