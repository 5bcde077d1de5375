import { every } from '@filmgate/kit/process/every'
import { deleteOld } from './deliveries/delete-old'
import { type SenderDeps, startSender } from './sending/sender'

export type WorkerDeps = SenderDeps & { keptDays: number }

const deleteEveryMs = 600_000

/** Sends deliveries, and deletes old ones. */
export function startWorkers(deps: WorkerDeps) {
  const sender = startSender(deps)
  const deleter = every(deleteEveryMs, () => deleteOld(deps), { log: deps.log, name: 'delete old deliveries' })
  return { wake: sender.wake, stop: () => Promise.all([sender.stop(), deleter.stop()]) }
}
