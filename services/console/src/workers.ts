import type { Sql } from '@filmgate/kit/database/postgres'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { deleteTakenBefore } from './door/form-repository'

export type WorkerDeps = { sql: Sql; log: Log; now: () => Date }

const dayMs = 86_400_000
const formsKeptMs = 7 * dayMs

/** What the console does without being asked. */
export function startWorkers({ sql, log, now }: WorkerDeps): { stop(): Promise<unknown> } {
  const before = (ms: number) => new Date(now().getTime() - ms)
  const repeating = [every(3_600_000, () => deleteTakenBefore(sql, before(formsKeptMs)), { log, name: 'forgetting forms' })]
  return { stop: () => Promise.all(repeating.map(({ stop }) => stop())) }
}
