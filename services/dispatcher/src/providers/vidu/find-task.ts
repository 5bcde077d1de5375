import { type ProviderAnswer, ProviderTrouble } from '../call'
import { listedForm, listForm } from './wire'

export type FindTaskDeps = {
  /** Asks for a page of the list of tasks. */
  list(query: Record<string, string>): Promise<ProviderAnswer>
  /** What a task carries of ours; undefined where Vidu knows no such task. */
  payloadOf(taskId: string): Promise<string | undefined>
  /** What tasks carry that were asked for before. */
  known: Map<string, string>
}

/**
 * An attempt's id begins with its order's milliseconds. Its submit comes within seconds, and clocks may differ: the first time; where its inputs were
 * waited for, within the second. A time of its own each, because an account that is busy has more tasks in a quarter of an hour than are read.
 */
const timesMs = [
  { fromMs: -60_000, toMs: 60_000 },
  { fromMs: 60_001, toMs: 900_000 },
]
/** Of a hundred tasks each, of each time. */
const pagesMax = 5
/** What Vidu is asked for at once, of tasks whose entry in the list doesn't say what they carry. */
const askedMax = 20
const knownMax = 10_000

/**
 * Vidu's id of what was accepted with our id as its payload. Vidu has no look-up by it: the tasks of the time are listed
 * (platform.vidu.com/docs/tasks-list), and those whose entry doesn't repeat it are asked for one by one, some each time. So what is not found may
 * be there all the same.
 */
export async function findTask({ list, payloadOf, known }: FindTaskDeps, attemptId: string): Promise<string | undefined> {
  const startedAt = Number.parseInt(attemptId.slice(3, 15), 16)
  // An entry comes twice where others come before it between two pages.
  const silent = new Set<string>()
  for (const { fromMs, toMs } of timesMs)
    for await (const { id, payload } of tasksOf(list, startedAt + fromMs, startedAt + toMs)) {
      if ((payload || known.get(id)) === attemptId) return id
      if (!payload && !known.has(id)) silent.add(id)
    }
  const asked = [...silent].slice(0, askedMax)
  // One without an answer, or that isn't known yet, is asked for again with the next look-up.
  const told = await Promise.allSettled(asked.map(payloadOf))
  for (const [at, one] of told.entries())
    if (one.status === 'fulfilled' && one.value !== undefined) remember(known, asked[at] ?? '', one.value)
  return asked.find(id => known.get(id) === attemptId)
}

async function* tasksOf(list: FindTaskDeps['list'], from: number, to: number) {
  const span = { 'created_at.from': new Date(from).toISOString(), 'created_at.to': new Date(to).toISOString(), 'pager.pagesz': '100' }
  let token = ''
  for (let page = 0; page < pagesMax; page++) {
    const { tasks, next } = pageOf(await list(token === '' ? span : { ...span, 'pager.page_token': token }))
    yield* tasks
    if (next === '' || tasks.length === 0) return
    token = next
  }
}

function pageOf({ status, body }: ProviderAnswer) {
  if (status !== 200 || !listForm.Check(body)) throw new ProviderTrouble(`answered ${status} to a list of tasks`, true)
  return { tasks: body.tasks.filter(one => listedForm.Check(one)), next: body.next_page_token ?? '' }
}

/** The oldest goes first. */
function remember(known: Map<string, string>, id: string, payload: string): void {
  known.set(id, payload.slice(0, 100))
  const [oldest] = known.keys()
  if (known.size > knownMax && oldest !== undefined) known.delete(oldest)
}
