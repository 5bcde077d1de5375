-- What was begun with the sign-in of before ends with it, in the transaction of the change: links to a new password that are on their way, and
-- sign-ins that wait for their second factor. Both are kept with the person's id as their value.
create function end_waiting() returns trigger language plpgsql as $$
declare
  person text := to_jsonb(new) ->> tg_argv[0];
begin
  delete from verification where value = person;
  return null;
end $$;

create trigger password_ends_waiting after update of password on credential
  for each row when (new.password is distinct from old.password) execute function end_waiting('person_id');
create trigger first_password_ends_waiting after insert on credential
  for each row when (new.password is not null) execute function end_waiting('person_id');
create trigger email_ends_waiting after update of email on person
  for each row when (new.email is distinct from old.email) execute function end_waiting('id');
create index verification_by_value on verification (value);
