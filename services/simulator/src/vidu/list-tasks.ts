import { find } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import { refuse } from '../errors'
import type { Generation } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { isVisible, type ReadDeps } from '../generation/read'
import { faultAnswer, listedTask } from './answers'

export type ListDeps = Omit<ReadDeps, 'origin'> & { store: GenerationStore }

/** platform.vidu.com/docs/tasks-list; of the names that it has for pages, those that others use. */
const queries = ['created_at.from', 'created_at.to', 'task_ids', 'states', 'pager.page', 'pager.pagesz', 'pager.page_token']
const pageSizeMax = 100
/** Without another beginning. */
const daysMax = 7

/** The tasks of a time, the youngest first. */
export function listTasks(deps: ListDeps, query: URLSearchParams): Answer {
  const unknown = [...query.keys()].find(name => !queries.includes(name))
  if (unknown) return faultAnswer({ reason: 'FieldUnwanted', field: unknown })
  const from = timeOf(query.get('created_at.from')) ?? deps.now() - daysMax * 86_400_000
  const to = timeOf(query.get('created_at.to')) ?? deps.now()
  const size = Number(query.get('pager.pagesz') ?? 10)
  const start = Number(query.get('pager.page_token') ?? Number(query.get('pager.page') ?? 0) * size)
  if ([from, to].some(Number.isNaN)) return faultAnswer({ reason: 'FieldInvalid', field: 'created_at' })
  if (!(Number.isInteger(size) && size > 0 && size <= pageSizeMax && Number.isInteger(start) && start >= 0))
    return faultAnswer({ reason: 'FieldInvalid', field: 'pager' })
  const ids = query.getAll('task_ids').flatMap(list => list.split(','))
  const own = tasksOf(deps).filter(({ id, acceptedAt }) => acceptedAt >= from && acceptedAt <= to && (ids.length === 0 || ids.includes(id)))
  const tasks = own.filter(task => isListed(deps, task)).toReversed()
  const next = start + size < tasks.length ? String(start + size) : ''
  return { status: 200, body: { tasks: tasks.slice(start, start + size).map(listedTask), next_page_token: next } }
}

const timeOf = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text))

/** Those that were submitted in this format, in their order. */
const tasksOf = ({ store }: ListDeps): Generation[] =>
  store
    .submits(() => true)
    .flatMap(({ generation_id: id }) => (id === null ? [] : (store.find(id) ?? [])))
    .filter(({ fake }) => fake?.name === 'vidu')

function isListed(deps: ListDeps, task: Generation): boolean {
  const { behaviours, acceptedAt } = task
  const broken = find(behaviours, 'lookup_500')
  if (broken && deps.reads.next(task, 'look-up') <= (broken.times ?? 3)) throw refuse('internal_error')
  const lags = find(behaviours, 'lookup_lags')
  return isVisible(deps, task) && !(lags && deps.now() < acceptedAt + (lags.delay_ms ?? 10_000))
}
