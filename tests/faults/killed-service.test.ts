import { afterAll, expect, test } from 'bun:test'
import { type Account, openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { generateStubbornly, taskEnd } from '../support/client/stubborn-client'
import { audit, ledgerTask } from '../support/operator/operator'
import { seededRandom } from '../support/random'
import { simulator } from '../support/simulator'
import { type Component, move } from '../support/stack'

const generations = 10
const unfinishedMax = 3
const credits = 1_000
const testTimeoutMs = 240_000
const random = seededRandom(Number(process.env.FILMGATE_TEST_SEED ?? Date.now()))
const services: Component[] = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'simulator']

type Job = { account: Account; prompt: string; body: Record<string, unknown> }

/** Ten requests over as many accounts as the limit of unfinished tasks needs, each running for another while. */
async function prepare(ofMedia: boolean): Promise<Job[]> {
  const accounts = await Promise.all(Array.from({ length: Math.ceil(generations / unfinishedMax) }, () => openAccount({ credits })))
  return Promise.all(
    Array.from({ length: generations }, async (_, index) => {
      const prompt = ownWords()
      await simulator.behave(prompt, [{ name: 'slow', delay_ms: 300 * index }])
      const frames = { mode: 'image-to-video', image_url: sampleMedia(`first${index}.jpg`), end_image_url: sampleMedia(`last${index}.jpg`) }
      const account = accounts[Math.floor(index / unfinishedMax)]
      if (!account) throw new Error('there is an account for each')
      return { account, prompt, body: smallRequest({ prompt, ...(ofMedia && frames) }) }
    }),
  )
}

/** Every job's task ended, was paid for as it ended, and was made once. */
async function expectWhole(jobs: Job[], taskIds: string[]): Promise<string[]> {
  const tasks = await Promise.all(jobs.map(({ account }, index) => taskEnd(account.api, taskIds[index] ?? '')))
  for (const [index, task] of tasks.entries()) {
    const { reservation, entries } = await ledgerTask(task.id)
    const ended = task.status === 'completed' ? 'settled' : 'refunded'
    expect(reservation).toMatchObject({ state: ended, credits: task.credits_used, refunded: task.credits_refunded })
    expect(entries.filter(({ kind }) => kind === 'reserve' || kind === 'settle' || kind === 'refund')).toHaveLength(4)
    const submits = await simulator.submits(jobs[index]?.prompt ?? '')
    expect(submits.filter(({ generation_id }) => generation_id !== null).length).toBeLessThanOrEqual(1)
    if (task.status === 'completed') expect((await fetch(task.output?.video_url ?? '')).status).toBe(200)
  }
  for (const account of new Set(jobs.map(job => job.account))) {
    const own = tasks.filter((_, index) => jobs[index]?.account === account)
    const spent = own.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0)
    expect(await account.api.credits()).toBe(credits - spent)
  }
  return tasks.map(({ status }) => status)
}

for (const service of services)
  test(
    `${service} killed while ten generations run: all ten completed and settled once`,
    async () => {
      const jobs = await prepare(service === 'media-probe')
      const taskIds = await Promise.all(jobs.map(({ account, body }) => generateStubbornly(account.api, body)))
      await Bun.sleep(random.between(0, 2_500))
      await move(service, 'kill')
      await Bun.sleep(random.between(0, 1_000))
      await move(service, 'start')
      expect(await expectWhole(jobs, taskIds)).toEqual(Array(generations).fill('completed'))
    },
    testTimeoutMs,
  )

for (const service of services)
  test(
    `${service} killed while ten generations are being admitted: each ends one way, its client told so and charged so`,
    async () => {
      const jobs = await prepare(service === 'media-probe')
      const admitted = Promise.all(jobs.map(({ account, body }) => generateStubbornly(account.api, body)))
      await Bun.sleep(random.between(0, service === 'media-probe' ? 1_500 : 150))
      await move(service, 'kill')
      await Bun.sleep(random.between(0, 1_000))
      await move(service, 'start')
      const ends = await expectWhole(jobs, await admitted)
      // A provider that isn't there refuses; a dispatcher that dies before it sends leaves an attempt that is proven never sent. Both are refunded.
      if (service !== 'dispatcher' && service !== 'simulator') expect(ends).toEqual(Array(generations).fill('completed'))
    },
    testTimeoutMs,
  )

afterAll(async () => {
  expect(await audit()).toEqual([])
})
