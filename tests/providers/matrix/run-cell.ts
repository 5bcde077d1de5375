import type { Api, Body, Answer as HttpAnswer } from '../../support/client/api'
import { ownWords } from '../../support/client/request'
import { simulator } from '../../support/simulator'
import { type Answer, answersOf, type End, endsOf, faults } from './faults'
import type { Target } from './start-providers'

/** How often the client sends its POST again under the same key: not at all, once it is answered, or five times while it waits. */
export const retries = ['none', 'one', 'five at once'] as const
export type Retries = (typeof retries)[number]

/** One provider, one fault, one way of sending. `wrong`: what isn't as specified; `refundedWrongly` is counted by itself. */
export type Cell = {
  target: Target
  fault: string
  retries: Retries
  taskId: string
  end: string
  wrong: string[]
  refundedWrongly: boolean
  acceptedJobs: number
  submits: number
  credits: number
}

const endTimeoutMs = 240_000
/** Where one of two ends is as specified, so long the better one is waited for. */
const eitherMs = 45_000

const told: Record<Answer, string> = {
  accepted: '202',
  uncertain: '503 acceptance_uncertain',
  unavailable: '503 generation_unavailable',
  rejected: '400 prompt_rejected',
}

/**
 * Orders one video at a provider that does this, and waits for what becomes of it and of its credits. `submitted`: once the POSTs are answered.
 * What breaks it off is what is wrong with it.
 */
export async function runCell(api: Api, target: Target, fault: string, again: Retries, submitted = () => {}): Promise<Cell> {
  const broken = {
    target,
    fault,
    retries: again,
    taskId: '',
    end: 'broken off',
    refundedWrongly: false,
    acceptedJobs: 0,
    submits: 0,
    credits: 0,
  }
  return order(api, target, fault, again, submitted).catch(error => ({ ...broken, wrong: [String(error)] }))
}

async function order(api: Api, target: Target, name: string, again: Retries, submitted: () => void): Promise<Cell> {
  const fault = faults[name]
  if (!fault) throw new Error(`there is no fault ${name}`)
  const prompt = ownWords()
  await simulator.behave(prompt, [...fault.behaviours, { name: 'instant' }])
  const answers = await send(api, { ...target.request, prompt }, again)
  submitted()
  const ids = new Set(answers.map(({ body }) => body.id ?? body.error?.details?.task_id ?? 'none'))
  const [taskId = 'none'] = ids
  const ends = endsOf(fault, target.offers)
  const task = taskId === 'none' ? undefined : await endOf(api, taskId, ends)
  const submits = await simulator.submitsWith(prompt)
  const acceptedJobs = new Set(submits.flatMap(one => one.generation_id ?? [])).size
  const end = task ? shownEnd(task) : 'no task'
  const wrong = [
    ...(ids.size === 1 ? [] : [`tasks ${[...ids].join()}`]),
    ...wrongAnswers(answers, answersOf(fault, target.offers)),
    ...(ends.includes(end as End) ? [] : [`${end}, not ${ends.join(' or ')}`]),
    ...(acceptedJobs <= 1 ? [] : [`${acceptedJobs} jobs at the provider`]),
  ]
  const refundedWrongly = isRefunded(task) && !ends.includes(end as End)
  const credits = (task?.credits_used ?? 0) - (task?.credits_refunded ?? 0)
  return { target, fault: name, retries: again, taskId, end, wrong, refundedWrongly, acceptedJobs, submits: submits.length, credits }
}

async function send(api: Api, body: object, again: Retries): Promise<HttpAnswer[]> {
  const idempotencyKey = crypto.randomUUID()
  const post = () => api.generate(body, { idempotencyKey })
  if (again === 'five at once') return Promise.all(Array.from({ length: 6 }, post))
  const first = await post()
  return again === 'none' ? [first] : [first, await post()]
}

/** Whoever comes while the first is being admitted is told the same, or the task; whoever comes later the task. */
function wrongAnswers(answers: HttpAnswer[], expected: Answer[]): string[] {
  const allowed = expected.map(one => told[one])
  // A task that failed is told with 200, and its error is in the task.
  const first = answers.map(({ status, body }) => (status !== 200 && body.error ? `${status} ${body.error.code}` : String(status)))
  const odd =
    answers.length > 1 ? first.filter(one => one !== '200' && !allowed.includes(one)) : first.filter(one => !allowed.includes(one))
  const isTold = first.some(one => allowed.includes(one))
  return isTold && odd.length === 0 ? [] : [`answered ${first.join()}, not ${allowed.join(' or ')}`]
}

/** The task once it has come to one of these ends, or to another one that is final; as it is where it comes to none. */
async function endOf(api: Api, taskId: string, ends: End[]): Promise<Body> {
  const isFinal = ({ billing_status: billing = '' }: Body) => ['settled', 'refunded'].includes(billing)
  const waitsForBetter = ends.length > 1 && ends.includes('review')
  const isEnd = (task: Body) => isFinal(task) || (!waitsForBetter && ends.includes(shownEnd(task) as End))
  return api.taskOnce(taskId, isEnd, waitsForBetter ? eitherMs : endTimeoutMs).catch(async () => (await api.task(taskId)).body)
}

/** What a client sees of a task, in one word; anything that goes together with nothing else is told as it is. */
export function shownEnd({ status, billing_status: billing, credits_used: used, credits_refunded: refunded, error }: Body): string {
  if (status === 'completed' && billing === 'settled' && refunded === 0) return 'completed'
  if (status === 'failed' && billing === 'refunded' && refunded === used && error) return error.code
  if (status === 'processing' && billing === 'review' && refunded === 0) return 'review'
  if (status === 'processing' && billing === 'reserved') return 'processing'
  return `${status}, ${billing}, ${refunded} of ${used} refunded`
}

export const isRefunded = (task: Body | undefined): boolean =>
  task !== undefined && (task.credits_refunded > 0 || ['refunded', 'refund_pending'].includes(task.billing_status ?? ''))
