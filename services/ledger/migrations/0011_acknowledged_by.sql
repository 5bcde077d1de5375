-- Who acknowledged a contradiction; null where an earlier version was told no name.
alter table contradiction add column acknowledged_by text;
