-- A cancel that was asked for, and why nothing came of it, in a word of the dispatcher's. A new request clears the word.
alter table task add column cancel_requested_at timestamptz;
alter table task add column cancel_refusal text;
