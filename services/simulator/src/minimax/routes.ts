import type { Fields } from '../engine/fields'
import { type Answer, type Call, keyOfScheme, type OwnGeneration, type Provider } from '../engine/provider'
import { view as viewOf } from '../generation/read'
import { accepted, faulty, fileOf, noTask, refusal, statusOf, taskOf, taskOfFile, unauthorized } from './answers'
import { h3Fault, isH3, readH3 } from './h3-form'
import { hailuoFault, readHailuo } from './hailuo-form'

/** MiniMax's API, in the place of https://api.minimax.io: a version is a provider of its own, whose prefix and errors differ. */
const version = (ofH3: boolean, routes: Provider['routes']): Provider => ({
  name: 'minimax',
  prefix: ofH3 ? '/minimax/v2' : '/minimax/v1',
  keyFault: keyOfScheme('Bearer', unauthorized(ofH3)),
  refusal: reason => refusal(reason, ofH3),
  cutJson: '{"task_id":',
  routes: { 'POST /video_generation': call => take(call, ofH3), ...routes },
})

const told = (body: object): Answer => ({ status: 200, body })

export const minimaxH3 = version(true, {
  'GET /query/video_generation': list,
  'GET /query/video_generation/:id'(call) {
    const generation = find(call, call.params.id, true)
    return generation ? told({ task: taskOf(call.read(generation), generation) }) : noTask(true)
  },
})

export const minimaxHailuo = version(false, {
  'GET /query/video_generation'(call) {
    const id = only(call.query, 'task_id')
    if (id === undefined) return faulty('task_id alone is to be given', false)
    const generation = find(call, id, false)
    return generation ? told(statusOf(call.read(generation))) : noTask(false)
  },
  'GET /files/retrieve'(call) {
    const generation = find(call, taskOfFile(only(call.query, 'file_id') ?? ''), false)
    const seen = generation && call.read(generation)
    return seen?.output_url ? told(fileOf(seen)) : faulty('file not found', false)
  },
})

/** Ids are digits; with one more of them they are still a number that JSON holds. */
const newId = (): string => String(100_000_000_000_000 + Math.floor(Math.random() * 700_000_000_000_000))

async function take({ json, submit }: Call, ofH3: boolean): Promise<Answer | Response> {
  const body: Fields | undefined = await json()
  if (!body) return faulty('the body is no object', ofH3)
  const fault = (ofH3 ? h3Fault : hailuoFault)(body)
  if (fault) return faulty(fault, ofH3)
  return submit((ofH3 ? readH3 : readHailuo)(body), {
    newId,
    accepted: ({ fake }, toldId) => accepted(fake.model, toldId),
    unfit: () => faulty('nothing that can be rendered here', ofH3),
  })
}

/** A generation that was submitted in this version. */
function find(call: Call, id = '', ofH3: boolean): OwnGeneration | undefined {
  const generation = call.find(id)
  return generation && isH3(generation.fake.model) === ofH3 ? generation : undefined
}

const only = (query: Call['query'], name: string): string | undefined => (Object.keys(query).join() === name ? query[name] : undefined)

const listQueries = ['page_num', 'page_size', 'filter.status', 'filter.task_ids', 'filter.model', 'filter.task_type']

/** H3's tasks, newest first. Of the filters it knows the names alone. */
function list(call: Call): Answer {
  const { query, deps, origin } = call
  const odd = Object.keys(query).find(name => !listQueries.includes(name))
  if (odd) return faulty(`${odd} is unknown`, true)
  const all = deps.store.ofFake('minimax').filter(({ id, acceptedAt }) => find(call, id, true) && deps.view.shows(acceptedAt))
  const [page, size] = [Number(query.page_num ?? 1), Number(query.page_size ?? 20)]
  const items = all.slice((page - 1) * size, page * size).map(one => taskOf(viewOf(one, origin), one))
  return told({ items, total: all.length })
}
