import { ClientGoneError } from '@filmgate/kit/failure'
import type { Task } from './task'
import type { TaskWatch } from './watch'

const waitSecondsMax = 60
/** A replica remembers a key for 3 s: with this the wait ends within 5 s of the key. */
const confirmEveryMs = 1_000

/** `Prefer: wait=N` (RFC 7240): how long the client would have the answer held, at most a minute. */
export function waitMs(prefer: string | null): number {
  const seconds = prefer?.match(/(?:^|[,;\s])wait=(\d{1,9})(?:$|[,;\s])/i)?.[1]
  return seconds === undefined ? 0 : Math.min(Number(seconds), waitSecondsMax) * 1_000
}

export type Holding = {
  holdMs: number
  /** Refuses once who asked may no longer ask. */
  confirm(): Promise<void>
  signal: AbortSignal
  /** What its reader sees of it. */
  view(task: Task): object
}

/** The task once what its reader sees has changed, or `holdMs` have passed. Who may no longer read it meanwhile is refused. */
export async function holdTask(watch: Pick<TaskWatch, 'wait'>, task: Task, { holdMs, confirm, signal, view }: Holding): Promise<Task> {
  const refused = new AbortController()
  const confirming = setInterval(() => confirm().catch(failure => refused.abort(failure)), confirmEveryMs)
  try {
    const changed = await watch.wait(task.id, changedSince(task, view), holdMs, AbortSignal.any([signal, refused.signal]))
    if (signal.aborted) throw new ClientGoneError()
    refused.signal.throwIfAborted()
    await confirm()
    return changed ?? task
  } finally {
    clearInterval(confirming)
  }
}

/** Whether what a reader sees is no longer what it saw. */
function changedSince(seen: Task, view: Holding['view']): (task: Task) => boolean {
  const shown = (task: Task) => JSON.stringify({ ...view(task), updated_at: '' })
  const before = shown(seen)
  return task => shown(task) !== before
}
