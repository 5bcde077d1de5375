import { ownWords } from '../../support/client/request'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { type ArkClient, clientVersion, type Options, startArkClient, type Task } from './python-client'

const model = 'doubao-seedance-2-0-mini-260615'

/** Ark's published client drives the simulator's fake from submit to result and list, and meets its errors where Ark's documents have them. */
export async function proveArkClient(report: Report): Promise<void> {
  report.figure('ark_client.version', clientVersion)
  const client = await startArkClient()
  try {
    await proveVideo(report, client)
    await proveErrors(report, client)
    await proveRetries(report, client)
  } finally {
    await client.stop()
  }
}

/** Creates a task that meets these behaviours. */
async function create(client: ArkClient, behaviours: Behaviour[], changes: object = {}, options: Options = {}) {
  const words = ownWords()
  await simulator.behave(words, behaviours)
  const content = [{ type: 'text', text: words }]
  const given = { model, content, resolution: '480p', ratio: '16:9', duration: 4, watermark: false, ...changes }
  return { words, answer: await client.call('create', given, options) }
}

async function ended(client: ArkClient, id: string): Promise<Task> {
  return until(`task ${id} to end`, async () => {
    const { result } = await client.call('get', { task_id: id })
    return result?.status === 'succeeded' || result?.status === 'failed' ? result : undefined
  })
}

async function proveVideo(report: Report, client: ArkClient): Promise<void> {
  const own = { safety_identifier: 'somebody', generate_audio: false }
  const { answer } = await create(client, [{ name: 'slow', delay_ms: 500 }, { name: 'instant' }], own)
  const { id = '', safety_identifier: told } = answer.result ?? {}
  report.check('Ark’s client is told an id, and what it said of its end user', id !== '' && told === 'somebody', JSON.stringify(answer))
  const task = await ended(client, id)
  const video = await fetch(task.content?.video_url ?? '')
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check('its result is a video', video.status === 200 && head === 'ftyp', `${video.status} ${head}`)
  report.check('with what it used', (task.usage?.completion_tokens ?? 0) > 0, JSON.stringify(task.usage))
  const running = (await create(client, [{ name: 'never_finishes' }])).answer.result?.id ?? ''
  const list = await client.call('list', { page_num: 1, page_size: 10, task_ids: [running, id, 'cgt-nobody'] })
  const listed = list.result?.items?.map(one => [one.id, one.status, one.safety_identifier])
  const expected = [
    [running, 'running', undefined],
    [id, 'succeeded', 'somebody'],
  ]
  report.check('a list by ids has those that there are', Bun.deepEquals(listed, expected), JSON.stringify(listed))
  const newest = await client.call('list', { page_num: 1, page_size: 1, model })
  report.check('a page has the newest first', newest.result?.items?.[0]?.id === running, JSON.stringify(newest.result))
}

async function proveErrors(report: Report, client: ArkClient): Promise<void> {
  const refusals: [string, Behaviour[], object, Options, string, string][] = [
    ['a length that the model doesn’t have', [], { duration: 99 }, {}, 'ArkBadRequestError', 'InvalidParameter'],
    ['a model that nobody knows', [], { model: 'doubao-seedance-9' }, {}, 'ArkNotFoundError', 'InvalidEndpointOrModel.NotFound'],
    ['another key', [], {}, { api_key: 'another-key-altogether' }, 'ArkAuthenticationError', 'AuthenticationError'],
    ['an empty account', [{ name: 'refuse', code: 'balance_exhausted' }], {}, {}, 'ArkPermissionDeniedError', 'AccountOverdueError'],
    [
      'too many requests',
      [{ name: 'refuse', code: 'too_many_requests' }],
      {},
      {},
      'ArkRateLimitError',
      'RateLimitExceeded.EndpointRPMExceeded',
    ],
    ['a text that is refused', [{ name: 'refuse_content' }], {}, {}, 'ArkBadRequestError', 'InputTextSensitiveContentDetected'],
    ['a fault of its own', [{ name: '500_before_accept' }], {}, {}, 'ArkInternalServerError', 'InternalServiceError'],
  ]
  for (const [name, behaviours, changes, options, kind, code] of refusals) {
    const { error } = (await create(client, behaviours.length > 0 ? behaviours : [{ name: 'never_finishes' }], changes, options)).answer
    report.check(`${name} is told as ${code}`, error?.kind === kind && error.code === code, JSON.stringify(error))
  }
  const unknown = await client.call('get', { task_id: 'cgt-nobody' })
  report.check('a task that nobody sent is not found', unknown.error?.kind === 'ArkNotFoundError', JSON.stringify(unknown))
  const { answer } = await create(client, [{ name: 'moderated' }])
  const { status, error } = await ended(client, answer.result?.id ?? '')
  const isWithheld = status === 'failed' && error?.code === 'OutputVideoSensitiveContentDetected'
  report.check('a video that is withheld is a failure with its code', isWithheld, JSON.stringify(error))
}

/** As it comes, the client sends a submit again where the answer was lost, and each is another video: what ours must never do. */
async function proveRetries(report: Report, client: ArkClient): Promise<void> {
  const lost = await create(client, [{ name: 'accept_then_500' }, { name: 'never_finishes' }], {}, { max_retries: 2 })
  const bought = new Set((await simulator.submitsWith(lost.words)).map(submit => submit.generation_id))
  report.check(
    'its own retries of a lost answer buy three videos',
    bought.size === 3 && lost.answer.error !== undefined,
    String(bought.size),
  )
  const refused = await create(client, [{ name: 'refuse_content' }], {}, { max_retries: 2 })
  const sent = (await simulator.submitsWith(refused.words)).length
  report.check('a refusal is not sent again', sent === 1, String(sent))
}
