-- Callback addresses have a code from this version on. Those that were made before are called until their generations have ended.
create table callback_code (required_from timestamptz not null);
insert into callback_code (required_from)
select case when exists (select from task) then now() + interval '3 days' else now() end;
