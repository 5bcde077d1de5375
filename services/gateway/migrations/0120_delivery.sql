-- What was delivered, as the dispatcher measured it; for operators and the console, never in a VideoTask. Null where a version before told it.
alter table task add column delivery jsonb;
