-- Retention walks tasks by age.
create index task_created on task (created_at) where phase_rank = 4;
