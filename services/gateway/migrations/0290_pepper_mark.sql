-- Which pepper the secret is hashed with; null: not known, as of keys that no version with marks has written or seen in use.
alter table api_key add column pepper_mark text;
