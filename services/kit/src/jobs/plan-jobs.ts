import type { Sql } from '../database/postgres'
import { backoffMs, pause } from '../deadline'
import type { Log } from '../telemetry/log'
import { insertJobs, type NewJob } from './job-repository'

export type PlanJobsOptions = { sql: Sql; log: Pick<Log, 'warn'>; jobs: NewJob[]; planned?(): void }

/**
 * Has jobs that must always be there inserted once the database takes them, however late it is when a service starts. `planned` is called
 * then, so that a worker looks at once.
 */
export function planJobs({ sql, log, jobs, planned }: PlanJobsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  async function plan(): Promise<void> {
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      try {
        await insertJobs(sql, jobs)
        return planned?.()
      } catch (error) {
        log.warn({ err: error, jobs: jobs.map(({ kind }) => kind), tries }, 'jobs not scheduled, retrying')
      }
      await pause(backoffMs(tries, 250, 5_000), stopping.signal)
    }
  }
  const planning = plan()
  return {
    async stop() {
      stopping.abort()
      await planning
    },
  }
}
