-- Nothing reads it any more, and nothing deletes what is older than a week. The table stays for a version before beside this one, and goes a
-- version later.
truncate outbox_published;
