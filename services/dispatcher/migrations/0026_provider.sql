-- The contract's word for the company that makes a video. Renamed at once: a dispatcher of before this can't run beside it.
alter table attempt rename column maker to provider;
alter table attempt rename column maker_model to provider_model;
alter table attempt rename column maker_task_id to provider_task_id;
alter table attempt rename column maker_task_id_disputed to provider_task_id_disputed;
alter index attempt_maker_task_id rename to attempt_provider_task_id;
alter index attempt_by_maker rename to attempt_by_provider;

alter table review_decision rename column maker_task_id to provider_task_id;

alter table maker_closing rename to provider_closing;
alter table provider_closing rename column maker to provider;
alter index maker_closing_of_maker rename to provider_closing_of_provider;

alter table maker_pace rename to provider_pace;
alter table provider_pace rename column maker to provider;

alter table maker_asker rename to provider_asker;
alter table provider_asker rename column maker to provider;
