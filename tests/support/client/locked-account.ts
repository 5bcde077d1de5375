import { expect } from 'bun:test'
import { ledgerTask } from '../operator/operator'
import { type Behaviour, simulator } from '../simulator'
import { type Account, openAccount } from './account'
import { ownWords, smallRequest } from './request'
import { sampleMedia } from './sample-media'
import { generateStubbornly, taskEnd } from './stubborn-client'

/** As many as lock an account. */
export const unfinishedMax = 3
const credits = 1_000

type Job = { prompt: string; idempotencyKey: string; body: Record<string, unknown> }
export type Jobs = { account: Account; jobs: Job[] }

/** As many requests as an account may have unfinished. */
export async function prepare({ media = false, behaviour }: { media?: boolean; behaviour?: Behaviour } = {}): Promise<Jobs> {
  const account = await openAccount({ credits })
  const jobs = Array.from({ length: unfinishedMax }, () => {
    const prompt = ownWords()
    const frames = { mode: 'image-to-video', image_url: sampleMedia('first1.jpg'), end_image_url: sampleMedia('last1.jpg') }
    return { prompt, idempotencyKey: crypto.randomUUID(), body: smallRequest({ prompt, ...(media && frames) }) }
  })
  if (behaviour) await Promise.all(jobs.map(({ prompt }) => simulator.behave(prompt, [behaviour])))
  return { account, jobs }
}

export const post = ({ account, jobs }: Jobs): Promise<string[]> =>
  Promise.all(jobs.map(({ body, idempotencyKey }) => generateStubbornly(account.api, body, { idempotencyKey, timeoutMs: 180_000 })))

/** Every task has ended, was paid for as it ended and made at most once; its key answers, and the account has its places back. */
export async function expectEnded({ account, jobs }: Jobs, taskIds: string[]): Promise<string[]> {
  const tasks = await Promise.all(taskIds.map(id => taskEnd(account.api, id)))
  for (const [index, task] of tasks.entries()) {
    const { reservation } = await ledgerTask(task.id)
    expect(reservation?.state).toBe(task.status === 'completed' ? 'settled' : 'refunded')
    expect(reservation).toMatchObject({ credits: task.credits_used, refunded: task.credits_refunded })
    const { prompt = '', body, idempotencyKey = '' } = jobs[index] ?? {}
    expect((await simulator.submits(prompt)).length).toBeLessThanOrEqual(1)
    const again = await account.api.generate(body, { idempotencyKey, timeoutMs: 10_000 })
    expect([again.status, again.body.id]).toEqual([200, task.id])
  }
  const spent = tasks.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0)
  expect(await account.api.credits()).toBe(credits - spent)
  expect((await taskEnd(account.api, await generateStubbornly(account.api, smallRequest()))).status).toBe('completed')
  return tasks.map(({ status }) => status)
}
