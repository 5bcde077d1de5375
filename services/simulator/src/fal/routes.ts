import { type Answer, type Call, keyOfScheme, type OwnGeneration, type Provider, refusalsOf } from '../engine/provider'
import { acceptedAnswer, appOf, badKey, broken, inputAnswer, notFound, refusals, resultAnswer, statusAnswer, unknownModel } from './answers'
import { faultsOf, formOf } from './forms'
import { readInput } from './read-input'
import type { CallbackKey } from './sign-callback'

export const falKeyFault = keyOfScheme('Key', badKey)

/** What fal takes beside the body: fal.ai/docs/documentation/model-apis/inference/queue. */
const queries = ['fal_webhook', 'fal_max_queue_length']

/** fal's API, in the place of https://queue.fal.run. */
export const fal = ({ keySet }: Pick<CallbackKey, 'keySet'>): Provider => ({
  name: 'fal',
  prefix: '/fal',
  keyFault: falKeyFault,
  refusal: refusalsOf(refusals, broken),
  cutJson: '{"request_id":',
  // At fal under https://rest.fal.ai.
  publicRoutes: { 'GET /.well-known/jwks.json': () => ({ status: 200, body: keySet() }) },
  routes: { 'POST /*': take, 'GET /*': tell, 'PUT /*': cancel },
})

/** The client reads a result's id from this header, and nowhere else. */
const withId = ({ headers, ...answer }: Answer, id: string): Answer => ({ ...answer, headers: { ...headers, 'x-fal-request-id': id } })
const bodyFault = (msg: string, type: string): Answer => inputAnswer([{ loc: ['body'], msg, type }])

async function take({ params: { '*': model = '' }, query, json, submit }: Call): Promise<Answer | Response> {
  const form = formOf(model)
  if (!form) return unknownModel(model)
  const odd = Object.keys(query).filter(name => !queries.includes(name))
  if (odd.length > 0) return inputAnswer(odd.map(name => ({ loc: ['query', name], msg: 'Unknown query', type: 'extra_forbidden' })))
  const input = await json()
  if (!input) return bodyFault('JSON decode error', 'json_invalid')
  const faults = faultsOf(form, input)
  if (faults.length > 0) return inputAnswer(faults)
  return submit(readInput(model, form, input, query.fal_webhook), {
    fake: { model },
    newId: () => crypto.randomUUID(),
    accepted: ({ fake }, toldId) => withId(acceptedAnswer(fake, toldId), toldId),
    unfit: () => bodyFault('Nothing that can be rendered here', 'value_error'),
  })
}

/** `owner/app/requests/id`, and what is asked of it. */
const pathForm = /^([^/]+\/[^/]+)\/requests\/([A-Za-z0-9-]+)(\/status|\/cancel)?$/

/** A generation that was submitted in this format to that app. */
function find({ params: { '*': path = '' }, find }: Call): { generation: OwnGeneration; rest: string } | undefined {
  const [, app, id = '', rest = ''] = pathForm.exec(path) ?? []
  const generation = find(id)
  return generation && appOf(generation.fake.model) === app ? { generation, rest } : undefined
}

function tell(call: Call): Answer {
  const { generation, rest } = find(call) ?? {}
  if (!generation || rest === '/cancel') return notFound
  const seen = call.read(generation)
  return withId(rest === '/status' ? statusAnswer(generation.fake, seen) : resultAnswer(seen, generation), generation.id)
}

/** Out of the queue, or by a signal to the runner; fal may also complete what it was asked to cancel. */
function cancel(call: Call): Answer | Response {
  const { generation, rest } = find(call) ?? {}
  if (!generation || rest !== '/cancel') return notFound
  const answer = call.cancel(generation, ['queued', 'running'])
  if (answer instanceof Response) return answer
  if (answer === 'refused') return { status: 400, body: { status: 'ALREADY_COMPLETED' } }
  return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } }
}
