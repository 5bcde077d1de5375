-- Splits `entry` into 32 partitions by its source, so that every index and every vacuum covers a 32nd. By the source and by nothing else: it
-- leads the primary key and entry_one_ending, and a unique index of a partitioned table must have the partition's column in it. Partitioned by
-- month, neither could be kept, and a task could be settled twice. Run it with the ledger at 0 replicas (requests wait in Kafka): it copies
-- every row.
--   psql "$LEDGER_DATABASE_URL" -v ON_ERROR_STOP=1 -f partition-entry.sql
begin;
lock table entry in access exclusive mode;
alter table entry rename to entry_whole;
alter table entry_whole rename constraint entry_pkey to entry_whole_pkey;
alter index entry_one_ending rename to entry_whole_one_ending;
alter index entry_by_seq rename to entry_whole_by_seq;

create table entry (like entry_whole including defaults including constraints) partition by hash (source_id);
do $$
begin
  for nth in 0..31 loop
    execute format('create table entry_part_%s partition of entry for values with (modulus 32, remainder %s)', nth, nth);
  end loop;
end $$;
insert into entry select * from entry_whole;
alter table entry add primary key (source_id, kind, book);
create unique index entry_one_ending on entry (source_id) where book = 'reserved' and kind in ('settle', 'refund');
create index entry_by_seq on entry using brin (seq) with (pages_per_range = 32, autosummarize = on);
alter sequence entry_seq owned by entry.seq;
create trigger entry_balanced after insert on entry referencing new table as inserted for each statement execute function refuse_unbalanced();
create trigger entry_kept before update or delete or truncate on entry for each statement execute function refuse_rewriting();
drop table entry_whole;
commit;
analyze entry;
