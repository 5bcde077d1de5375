import { type MakerAnswer, MakerTrouble } from '../call'
import { listedForm, listForm } from './wire'

export type FindTaskDeps = {
  /** Asks for a page of the list of tasks. */
  list(query: Record<string, string>): Promise<MakerAnswer>
  /** What a task carries of ours; undefined where Vidu knows no such task. */
  payloadOf(taskId: string): Promise<string | undefined>
  /** What tasks carry that were asked for before. */
  known: Map<string, string>
}

/** An attempt's id begins with its milliseconds. Clocks may differ by the first; its submit, with its inputs' waiting, comes within the second. */
const beforeMs = 60_000
const afterMs = 900_000
/** Of a hundred tasks each. */
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
  const span = {
    'created_at.from': new Date(startedAt - beforeMs).toISOString(),
    'created_at.to': new Date(startedAt + afterMs).toISOString(),
    'pager.pagesz': '100',
  }
  const silent: string[] = []
  let token = ''
  for (let page = 0; page < pagesMax; page++) {
    const { tasks, next } = pageOf(await list(token === '' ? span : { ...span, 'pager.page_token': token }))
    for (const { id, payload } of tasks) {
      if ((payload || known.get(id)) === attemptId) return id
      if (!payload && !known.has(id)) silent.push(id)
    }
    if (next === '' || tasks.length === 0) break
    token = next
  }
  const asked = silent.slice(0, askedMax)
  // One without an answer, or that isn't known yet, is asked for again with the next look-up.
  const told = await Promise.allSettled(asked.map(payloadOf))
  for (const [at, one] of told.entries())
    if (one.status === 'fulfilled' && one.value !== undefined) remember(known, asked[at] ?? '', one.value)
  return asked.find(id => known.get(id) === attemptId)
}

function pageOf({ status, body }: MakerAnswer) {
  if (status !== 200 || !listForm.Check(body)) throw new MakerTrouble(`answered ${status} to a list of tasks`, true)
  return { tasks: body.tasks.filter(one => listedForm.Check(one)), next: body.next_page_token ?? '' }
}

/** The oldest goes first. */
function remember(known: Map<string, string>, id: string, payload: string): void {
  known.set(id, payload.slice(0, 100))
  const [oldest] = known.keys()
  if (known.size > knownMax && oldest !== undefined) known.delete(oldest)
}
