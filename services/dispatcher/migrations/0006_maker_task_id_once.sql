-- filmgate: no transaction
-- Again with every try: the version before this may have been told one id twice since the last one, and the index would not be built.
update attempt set maker_task_id_disputed = true
from (
  select id, row_number() over (partition by maker, maker_task_id order by id) as place
  from attempt where maker_task_id is not null and not maker_task_id_disputed
) as told
where told.id = attempt.id and told.place > 1;

create unique index concurrently if not exists attempt_maker_task_id
on attempt (maker, maker_task_id) where maker_task_id is not null and not maker_task_id_disputed;
