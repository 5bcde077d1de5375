-- What a session was opened with, and whether its person has given a code of their authenticator in it. Null: it is of before, or of a version before.
alter table session add column opened_by text check (opened_by in ('password', 'passkey', 'oidc', 'link'));
alter table session add column code_given boolean not null default false;
