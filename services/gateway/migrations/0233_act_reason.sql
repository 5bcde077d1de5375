-- Why an operator did it, where the route asks for that.
alter table operator_act add column reason text;
