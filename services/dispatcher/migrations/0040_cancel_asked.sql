-- Since when its provider has been asked to cancel it. What the provider then calls cancelled ends its task as cancelled.
alter table attempt add column cancel_asked_at timestamptz;
