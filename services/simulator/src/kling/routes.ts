import { type Answer, type Call, type Provider, refusalsOf } from '../engine/provider'
import { lookUp, readMany } from '../generation/read'
import { accepted, badKey, fault, noAuthorization, noPairs, ownFault, refusals, sentBefore, taskOf, tasks, unknownModel } from './answers'
import { formOf, readBody } from './forms'
import { readRequest } from './read-request'

/** Kling's API 2.0, in the place of https://api-singapore.klingai.com. */
export const kling: Provider = {
  name: 'kling',
  prefix: '/kling',
  // A token that a pair of keys signed is another kind of key, which this generation of the API doesn't take.
  keyFault(headers, isKey) {
    const header = headers.get('authorization')
    if (!header) return noAuthorization
    const given = /^Bearer (\S+)$/.exec(header)?.[1] ?? ''
    if (isKey(given)) return undefined
    return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(given) ? noPairs : badKey
  },
  refusal: refusalsOf(refusals, ownFault),
  cutJson: '{"code":0,"data":{',
  routes: { 'POST /:what/:model': take, 'GET /tasks': tell },
}

/** Kling's ids are of 18 digits. */
const newTaskId = (): string => `9${Array.from(crypto.getRandomValues(new Uint8Array(17)), byte => byte % 10).join('')}`

async function take({ params: { what, model }, json, submit }: Call): Promise<Answer | Response> {
  const form = formOf(`${what}/${model}`)
  if (!form) return unknownModel
  const body = readBody(form, await json())
  if ('fault' in body) return fault(body.fault)
  const wanted = readRequest(form, body)
  return submit(wanted, {
    newId: newTaskId,
    accepted,
    sentBefore: () => sentBefore(wanted.client_task_id),
    unfit: () => fault('nothing that can be rendered here'),
  })
}

/** In one call, and so many are refused (seen live). */
const idsMax = 20

/** By Kling's ids or by the callers', and not by both; what isn't known is left out. */
function tell({ query, deps, find }: Call): Answer {
  const { task_ids: own = '', external_task_ids: external = '', ...more } = query
  if (Object.keys(more).length > 0) return fault(`${Object.keys(more)[0]} is not a field`)
  const ids = (own || external).split(',').filter(Boolean)
  if (ids.length === 0) return fault('task_ids or external_task_ids is required')
  if (own && external) return fault('task_ids and external_task_ids cannot be used simultaneously')
  if (ids.length > idsMax) return fault(`${own ? 'task_ids' : 'external_task_ids'} cannot exceed ${idsMax} in total`)
  const seen = own
    ? readMany(deps, ids.filter(find))
    : ids.flatMap(id => (find(deps.store.findByClientTaskId(id)?.id ?? '') ? lookUp(deps, id) : []))
  return tasks(
    seen.flatMap(view => {
      const generation = find(view.id)
      return generation ? [taskOf(view, generation)] : []
    }),
  )
}
