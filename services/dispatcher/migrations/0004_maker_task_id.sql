-- One video is one attempt's. Before this a maker could tell one id twice; of those the oldest attempt keeps it for itself (0006).
alter table attempt add column maker_task_id_disputed boolean not null default false;
