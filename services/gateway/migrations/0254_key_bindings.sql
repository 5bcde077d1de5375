-- What a key is bound to: models by name, and ranges of addresses that it works from. Null: to none in particular.
alter table api_key add column models text[], add column addresses text[];
