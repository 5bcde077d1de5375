import { openDatabase } from '../../support/servers/databases'
import { until } from '../../support/until'

export type HeldWrites = {
  /** Until a dispatcher stands before a write of what it decided about an attempt. What a provider tells of its progress decides nothing. */
  reached(): Promise<void>
  /** Ends the connections that stand before one: nothing of it is written. */
  cut(): Promise<void>
  /** What stands before one is written now, whether whoever asked for it lives or not. */
  release(): Promise<void>
}

const reachedMsMax = 30_000

type Standing = { pid: number; isProgress: boolean }

/** From now on no attempt is inserted or changed. Who reads, or takes a job, is not kept from it. */
export async function holdWrites(): Promise<HeldWrites> {
  const holder = openDatabase('dispatcher')
  const watcher = openDatabase('dispatcher')
  await holder.unsafe('begin; lock table attempt in share mode')
  const standing = async () =>
    (await watcher`
      select pid, query ilike '%progress_at = now()%' as "isProgress" from pg_stat_activity
      where datname = current_database() and application_name = 'dispatcher' and wait_event_type = 'Lock'`) as unknown as Standing[]
  return {
    async reached() {
      await until('a decision to be written', async () => (await standing()).some(({ isProgress }) => !isProgress), reachedMsMax)
    },
    async cut() {
      for (const { pid } of await standing()) await watcher`select pg_terminate_backend(${pid}::int)`
      await until('nobody to stand before a write', async () => (await standing()).length === 0)
    },
    async release() {
      await holder.unsafe('rollback')
      await Promise.all([holder.end(), watcher.end()])
    },
  }
}
