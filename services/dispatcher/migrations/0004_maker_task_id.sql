-- One video is one attempt's. Before this a maker could tell one id twice; of those the oldest attempt keeps it for itself.
alter table attempt add column maker_task_id_disputed boolean not null default false;

update attempt set maker_task_id_disputed = true
from (
  select id, row_number() over (partition by maker, maker_task_id order by id) as place from attempt where maker_task_id is not null
) as told
where told.id = attempt.id and told.place > 1;

create unique index attempt_maker_task_id on attempt (maker, maker_task_id) where maker_task_id is not null and not maker_task_id_disputed;
