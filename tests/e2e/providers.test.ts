import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import type { Api } from '../support/client/api'
import { ownWords, smallRequest } from '../support/client/request'
import { buyShownVideo } from '../support/client/shown-video'
import { audit, ledgerTask, operate } from '../support/operator/operator'
import { type Behaviour, simulator } from '../support/simulator'

type Case = {
  behaviours: Behaviour[]
  /** Another is bought behind it: while what is lost is the newest there, its provider may as well stand still (docs/decisions/0641). */
  isFollowed?: boolean
  /** Status and code of the POST's answer; 202 has no code. */
  answer: [status: number, code?: string]
  /** The task in the end. Failed ones are refunded whole, completed ones settled whole, those in review held until an operator ends it. */
  end:
    | 'completed'
    | 'review'
    | 'generation_unavailable'
    | 'prompt_rejected'
    | 'generation_failed'
    | 'output_moderated'
    | 'output_unavailable'
}

const uncertain: Case['answer'] = [503, 'acceptance_uncertain']
const unavailable: Case['answer'] = [503, 'generation_unavailable']
const accepted: Case['answer'] = [202]

/** Everything a provider may do to us, and what the client is told and pays. Waits are shorter than tests/stack.env makes the service's. */
const cases: Record<string, Case> = {
  'accepts, and renders': { behaviours: [], answer: accepted, end: 'completed' },
  'refuses the request': { behaviours: [{ name: 'refuse', code: 'invalid_request' }], answer: unavailable, end: 'generation_unavailable' },
  'has no balance of ours left': {
    behaviours: [{ name: 'refuse', code: 'balance_exhausted' }],
    answer: unavailable,
    end: 'generation_unavailable',
  },
  'is too busy': { behaviours: [{ name: 'refuse', code: 'too_many_requests' }], answer: unavailable, end: 'generation_unavailable' },
  'refuses the content': { behaviours: [{ name: 'refuse_content' }], answer: [400, 'prompt_rejected'], end: 'prompt_rejected' },
  'cuts the connection and has nothing': { behaviours: [{ name: 'drop_before_accept' }], answer: uncertain, end: 'generation_unavailable' },
  'answers 500 and has nothing': { behaviours: [{ name: '500_before_accept' }], answer: uncertain, end: 'generation_unavailable' },
  'accepts and cuts the connection': { behaviours: [{ name: 'accept_then_drop' }], answer: uncertain, end: 'completed' },
  'accepts and answers 500': { behaviours: [{ name: 'accept_then_500' }], answer: uncertain, end: 'completed' },
  'accepts with an answer nobody can read': { behaviours: [{ name: 'bad_json' }], answer: uncertain, end: 'completed' },
  'accepts after we have hung up': { behaviours: [{ name: 'accept_late', delay_ms: 4_500 }], answer: uncertain, end: 'completed' },
  'accepts, cuts, and its look-up lags': {
    behaviours: [{ name: 'accept_then_drop' }, { name: 'lookup_lags', delay_ms: 3_000 }],
    answer: uncertain,
    end: 'completed',
  },
  'accepts, cuts, and its look-up breaks': {
    behaviours: [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 3 }],
    answer: uncertain,
    end: 'completed',
  },
  'takes no notice of our token': { behaviours: [{ name: 'ignore_token' }], answer: accepted, end: 'completed' },
  'tells an id that is nobody’s': { behaviours: [{ name: 'wrong_id' }], answer: accepted, end: 'completed' },
  'answers polls with 500 for a while': { behaviours: [{ name: 'read_500', times: 2 }], answer: accepted, end: 'completed' },
  'uses a status word we don’t know': { behaviours: [{ name: 'unknown_status', times: 2 }], answer: accepted, end: 'completed' },
  'is done, and then isn’t': { behaviours: [{ name: 'completed_then_processing' }], answer: accepted, end: 'completed' },
  'is slow': { behaviours: [{ name: 'slow', delay_ms: 4_000 }], answer: accepted, end: 'completed' },
  'never calls back': { behaviours: [{ name: 'no_callback' }], answer: accepted, end: 'completed' },
  'fails after accepting': { behaviours: [{ name: 'fails_after_accept' }], answer: accepted, end: 'generation_failed' },
  'withholds the output': { behaviours: [{ name: 'moderated' }], answer: accepted, end: 'output_moderated' },
  'hands out an address that leads nowhere': { behaviours: [{ name: 'output_404' }], answer: accepted, end: 'output_unavailable' },
  'hands out an address that our DNS doesn’t know': {
    behaviours: [{ name: 'output_elsewhere', origin: 'https://no-such-host.invalid' }],
    answer: accepted,
    end: 'review',
  },
  'hands out an address that our DNS doesn’t know for a while': {
    behaviours: [{ name: 'output_elsewhere', origin: 'https://no-such-host.invalid', delay_ms: 12_000 }],
    answer: accepted,
    end: 'completed',
  },
  'hands out a video and is overloaded when it is fetched': {
    behaviours: [{ name: 'output_status', status: 503, times: 6 }],
    answer: accepted,
    end: 'completed',
  },
  'hands out a redirect to a private address': { behaviours: [{ name: 'output_redirect' }], answer: accepted, end: 'review' },
  'hands out a video without end': { behaviours: [{ name: 'output_endless' }], answer: accepted, end: 'review' },
  'hands out a video and hangs up half-way': { behaviours: [{ name: 'output_truncated' }], answer: accepted, end: 'review' },
  'loses what it accepted, and shows others': {
    behaviours: [{ name: 'never_finishes' }, { name: 'vanishes', delay_ms: 1_000 }],
    isFollowed: true,
    answer: accepted,
    end: 'generation_failed',
  },
  'hands out half a video as a whole one': {
    behaviours: [{ name: 'output_truncated', clean: true }],
    answer: accepted,
    end: 'output_unavailable',
  },
  'hands out a page': { behaviours: [{ name: 'output_wrong_type' }], answer: accepted, end: 'output_unavailable' },
  'hands out a page that is called a video': {
    behaviours: [{ name: 'output_wrong_type', content_type: 'video/mp4' }],
    answer: accepted,
    end: 'output_unavailable',
  },
}

const credits = 1_000
/** These render, so that what is copied is known to be their own. */
const rendering = new Set(['accepts, and renders'])

beforeAll(buyShownVideo)

for (const [name, { behaviours, isFollowed = false, answer, end }] of Object.entries(cases))
  test.concurrent(`a provider ${name}: ${answer.join(' ')}, then ${end}`, async () => {
    const { api } = await openAccount({ credits })
    const prompt = ownWords()
    const all: Behaviour[] = rendering.has(name) ? behaviours : [...behaviours, { name: 'instant' }]
    if (all.length > 0) await simulator.behave(prompt, all)
    const post = await api.generate(smallRequest({ prompt }))
    const told: Case['answer'] = post.body.error ? [post.status, post.body.error.code] : [post.status]
    expect(told).toEqual(answer)
    const taskId = post.body.id ?? post.body.error?.details?.task_id
    if (isFollowed) await buyShownVideo()
    if (end === 'review') return expectReview(api, taskId)
    const ended = end === 'completed' ? 'settled' : 'refunded'
    const task = await api.taskOnce(taskId, ({ status, billing_status }) => status !== 'processing' && billing_status === ended)
    expect({ status: task.status, code: task.error?.code, refunded: task.credits_refunded }).toEqual(
      end === 'completed'
        ? { status: 'completed', code: undefined, refunded: 0 }
        : { status: 'failed', code: end, refunded: task.credits_used },
    )
    expect(await api.credits()).toBe(end === 'completed' ? credits - task.credits_used : credits)
    expect((await ledgerTask(taskId)).reservation).toMatchObject({
      state: ended,
      credits: task.credits_used,
      refunded: task.credits_refunded,
    })
    expect(await simulator.submits(prompt)).toHaveLength(1)
    if (end === 'completed') expect((await fetch(task.output?.video_url ?? '')).status).toBe(200)
    expect(JSON.stringify(task)).not.toMatch(/sim_|simulator/)
  })

/** The client is told that it goes on, its credits are held, and an operator ends it. */
async function expectReview(api: Api, taskId: string): Promise<void> {
  const task = await api.taskOnce(taskId, ({ billing_status }) => billing_status === 'review')
  expect(task).toMatchObject({ status: 'processing', output: null, error: null, credits_refunded: 0 })
  expect(await api.credits()).toBe(credits - task.credits_used)
  await operate('dispatcher', 'POST', `/reviews/${taskId}/refund`, { reason: 'the provider has no video of it either' })
  const ended = await api.taskOnce(taskId, ({ billing_status }) => billing_status === 'refunded')
  expect(ended).toMatchObject({ status: 'failed', credits_refunded: task.credits_used, error: { code: 'output_unavailable' } })
  expect(await api.credits()).toBe(credits)
}

test('a provider that tells another generation’s id: uncertain, then completed with its own video, the other untouched', async () => {
  const { api } = await openAccount({ credits })
  const other = await api.generate(smallRequest({ prompt: ownWords() }))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'wrong_id', of: 'another' }])
  const post = await api.generate(smallRequest({ prompt }))
  expect([other.status, post.status, post.body.error?.code]).toEqual([202, 503, 'acceptance_uncertain'])
  for (const id of [other.body.id, post.body.error?.details?.task_id ?? ''])
    expect(await api.taskOnce(id, ({ status }) => status !== 'processing')).toMatchObject({
      status: 'completed',
      billing_status: 'settled',
    })
  expect(await simulator.submits(prompt)).toHaveLength(1)
})

afterAll(async () => {
  expect(await audit()).toEqual([])
})
