import { openAccount } from '../../support/client/account'
import type { Answer, Api, Body } from '../../support/client/api'
import { ownWords, smallRequest } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { attemptsOf, ledgerTask } from '../../support/operator/operator'
import { taskIdsOf } from '../../support/servers/databases'
import { type Behaviour, simulator } from '../../support/simulator'
import { until } from '../../support/until'
import { type Cell, type Expected, type Phase, providers } from './cells'

const credits = 1_000
/** Longer than a cancel waits for its answer. */
const runsMs = 8_000

/** What the provider does with a submit in each phase. */
const behavioursOf: Record<Phase, Behaviour[]> = {
  media: [{ name: 'instant' }],
  submitting: [{ name: 'accept_late', delay_ms: 1_500 }, { name: 'slow', delay_ms: runsMs }, { name: 'instant' }],
  queued: [{ name: 'stays_queued', delay_ms: runsMs }, { name: 'instant' }],
  running: [{ name: 'slow', delay_ms: runsMs }, { name: 'instant' }],
  copying: [{ name: 'instant' }, { name: 'output_status', status: 503, times: 10 }],
  uncertain: [{ name: 'drop_before_accept' }],
  completed: [{ name: 'instant' }],
  failed: [{ name: 'fails_after_accept' }],
  cancelled: [{ name: 'instant' }],
}

/** A second of 480p of `alpha-h3-fast`: 0.2 CNY at 0.14 USD, by the margin of 1.2 are 3.36 cents, rounded up. */
const price = 4

/** Runs one cell in an account of its own. Returns what is not as expected. */
export async function runCell({ phase, provider, times, expected }: Cell): Promise<string[]> {
  const { api, accountId } = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, [...behavioursOf[phase], ...providers[provider].map(name => ({ name }))])
  const posted = api.generate(requestOf(phase, prompt))
  const id = await reach(phase, api, accountId, posted)
  const answers = await Promise.all(Array.from({ length: times }, () => cancel(api, id)))
  const faults = answers.map(textOf).filter(text => !expected.answers.includes(text))
  const post = await posted
  if (expected.end === 'held') return [...faults, ...(await heldFaults(api, id))]
  const task = await api.taskOnce(id, isBooked)
  return [...faults, ...postFaults(phase, post, id), ...(await endFaults(api, task, expected))]
}

/** Its credits are where they stay, in the balance that its client reads too. */
export const isBooked = ({ billing_status: billing }: Body): boolean => billing === 'settled' || billing === 'refunded'

export const cancel = (api: Api, id: string): Promise<Answer> => api.send('POST', `/tasks/${id}/cancel`)

const textOf = ({ status, body }: Answer): string =>
  status === 409 ? `409 ${body.error?.details?.reason ?? body.error?.code}` : String(status)

/** With media the order waits for them, so that no provider has it. */
const requestOf = (phase: Phase, prompt: string): Record<string, unknown> =>
  phase === 'media' || phase === 'cancelled'
    ? smallRequest({ prompt, mode: 'media-to-video', reference_image_urls: [slowPicture()] })
    : smallRequest({ prompt })

const slowPicture = (): string => sampleMedia(`${crypto.randomUUID().slice(0, 8)}.jpg?wait_ms=20000`)

/** The id of the task once it is in the phase. */
async function reach(phase: Phase, api: Api, accountId: string, posted: Promise<Answer>): Promise<string> {
  const reserved = () =>
    until('the reservation', async () => {
      const [id] = await taskIdsOf(accountId)
      return id !== undefined && (await api.task(id)).status === 200 && id
    })
  if (phase === 'media' || phase === 'submitting') {
    const id = await reserved()
    if (phase === 'submitting') await until('its attempt', async () => (await attemptsOf(id).catch(() => [])).length > 0)
    return id
  }
  if (phase === 'cancelled') {
    const id = await reserved()
    await cancel(api, id)
    return id
  }
  const { body } = await posted
  const id = body.error?.details?.task_id ?? body.id
  if (phase === 'completed' || phase === 'failed') await api.taskOnce(id)
  if (phase === 'copying') await until('its copy', async () => (await attemptsOf(id)).some(({ state }) => state === 'copying'))
  return id
}

/** A POST that still waits is told of the cancel, with the task. */
function postFaults(phase: Phase, { status, body }: Answer, id: string): string[] {
  const waits = phase === 'media' || phase === 'cancelled'
  const found = `POST ${status} ${body.error?.code ?? body.id} ${body.error?.details?.task_id ?? ''}`.trim()
  const wanted = waits ? `POST 409 cancelled ${id}` : `POST 202 ${id}`
  return found === wanted ? [] : [`${found} instead of ${wanted}`]
}

const codes: Partial<Record<Expected['end'], string>> = { cancelled: 'cancelled', failed: 'generation_failed' }

async function endFaults(api: Api, task: Body, { end }: Expected): Promise<string[]> {
  const isPaid = end === 'completed'
  const { reservation } = await ledgerTask(task.id)
  const found = {
    ...{ status: task.status, code: task.error?.code, used: task.credits_used, balance: await api.credits() },
    ...{ state: reservation?.state, refunded: reservation?.refunded },
  }
  const wanted = {
    ...{ status: isPaid ? 'completed' : 'failed', code: codes[end], used: price, balance: credits - (isPaid ? price : 0) },
    ...{ state: isPaid ? 'settled' : 'refunded', refunded: isPaid ? 0 : price },
  }
  return Bun.deepEquals(found, wanted) ? [] : [`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`]
}

/** Whether a provider has it is not known, so that its credits stay held. */
async function heldFaults(api: Api, id: string): Promise<string[]> {
  const { body } = await api.task(id)
  const balance = await api.credits()
  return body.status === 'processing' && balance === credits - price ? [] : [`${body.status} with a balance of ${balance}`]
}
