import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { buyStubbornly, taskEnd } from '../support/client/stubborn-client'
import { expectPaidAsEnded } from '../support/operator/books'
import { attemptsOf, audit, ledgerTask, operate } from '../support/operator/operator'
import { opsDone } from '../support/operator/ops'
import { deadLetters } from '../support/servers/dead-letters'
import { type Behaviour, simulator } from '../support/simulator'
import { without } from '../support/stack'
import { faultMs, isLongFault, lastUntil } from '../support/suite/fault-length'
import { addFigure } from '../support/suite/figures'
import { until } from '../support/until'

const credits = 1_000
/** How long polls, submits and outputs hang, as behind a gateway of ours that swallows packets; `bun run test:faults` has the ten minutes. */
const hangsMs = faultMs(4_000)
/** Meanwhile two clients more come, that often; none in the short form. */
const waveEveryMs = 60_000
const timeoutMs = hangsMs + 400_000
const againAfterMs = 5_000
const testTimeoutMs = 2 * hangsMs + 600_000

/** Later than S3 is gone. */
const madeAfterMs = isLongFault ? 30_000 : 4_000

const instant = { name: 'instant' }
/** A name of the Internet that no DNS has an answer for; FILMGATE_OUTPUT_RETRY_FOR_MS of the stack is over long before it has one. */
const unresolvable = { name: 'output_elsewhere', origin: `https://${crypto.randomUUID()}.com`, delay_ms: faultMs(30_000) }

async function buy(...behaviours: Behaviour[]) {
  const account = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, [...behaviours, instant])
  const { status, body } = await account.api.generate(smallRequest({ prompt }))
  expect(status).toBe(202)
  return { ...account, credits, prompt, taskId: body.id }
}

/** Comes while nothing leads anywhere, with media or without. */
async function newClient(media: boolean) {
  const account = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, [instant])
  const frames = { mode: 'image-to-video', image_url: sampleMedia('first.jpg'), end_image_url: sampleMedia('last.jpg') }
  return { ...account, credits, prompt, body: smallRequest({ prompt, ...(media && frames) }) }
}

const attemptsInReview = async () =>
  (await operate<{ data: { task_id: string }[] }>('dispatcher', 'GET', '/reviews')).data.map(({ task_id }) => task_id)
const isHeld = async ({ taskId }: { taskId: string }) => (await ledgerTask(taskId)).reservation?.state === 'review'
const isCopying = async ({ taskId }: { taskId: string }) => (await attemptsOf(taskId)).at(-1)?.state === 'copying'
const made = async (prompt: string) => new Set((await simulator.submits(prompt)).flatMap(({ generation_id }) => generation_id ?? []))

test(
  'DNS, egress and S3 of ours gone with videos waiting: no refund of what was accepted, all completed afterwards, and what no way leads to ends by its operator',
  async () => {
    const late = await Promise.all(Array.from({ length: 2 * Math.floor(hangsMs / waveEveryMs) }, (_, index) => newClient(index % 2 === 1)))
    const nameless = await Promise.all([1, 2].map(() => buy(unresolvable)))
    const unreachable = await buy({ name: 'output_status', status: 503 })
    const waiting = await Promise.all([1, 2, 3].map(() => buy({ name: 'slow', delay_ms: madeAfterMs })))
    const all = [...nameless, ...waiting, unreachable]
    const bought = await without('s3', 'stop', async () => {
      const startedAt = Date.now()
      const works: { client: (typeof late)[number]; work: ReturnType<typeof buyStubbornly> }[] = []
      // These have to be tried for long enough to be held before anything leads anywhere again.
      if (isLongFault) for (const one of all) await until('its copy', () => isCopying(one), timeoutMs)
      await without('simulator', 'pause', async () => {
        for (const [index, client] of late.entries()) {
          await lastUntil('DNS, egress and S3 gone', startedAt, Math.floor(index / 2) * waveEveryMs)
          const work = buyStubbornly(client.api, client.body, { timeoutMs, againAfterMs })
          work.catch(() => {})
          works.push({ client, work })
        }
        await lastUntil('DNS, egress and S3 gone', startedAt, hangsMs)
      })
      for (const one of all) await until('it is held', () => isHeld(one), timeoutMs)
      for (const one of nameless) expect((await attemptsOf(one.taskId)).at(-1)?.cause).toMatch(/unresolvable|no address/)
      return works
    })
    for (const { api, taskId } of all) {
      const { body } = await api.task(taskId)
      expect(body).toMatchObject({ credits_refunded: 0, error: null })
      if (body.billing_status === 'review') expect(body).toMatchObject({ status: 'processing', output: null })
    }
    // Tried on by themselves in review; one has nothing to be had, and its operator has it tried anew, then gives it up.
    await opsDone('review', 'retry', unreachable.taskId, '--reason', 'the way there is mended')
    for (const one of [...nameless, ...waiting]) {
      const task = await taskEnd(one.api, one.taskId, timeoutMs)
      expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', credits_refunded: 0 })
      await expectPaidAsEnded(one, [task])
      expect((await fetch(task.output?.video_url ?? '')).status).toBe(200)
      expect(await simulator.submits(one.prompt)).toHaveLength(1)
    }
    await until('its copy is held again', async () => (await attemptsInReview()).includes(unreachable.taskId), timeoutMs)
    expect(await opsDone('review', 'list', '--json')).toContain(unreachable.taskId)
    await opsDone('review', 'refund', unreachable.taskId, '--reason', 'the provider has lost the file')
    const given = await taskEnd(unreachable.api, unreachable.taskId)
    expect(given).toMatchObject({ status: 'failed', error: { code: 'output_unavailable' } })
    await expectPaidAsEnded(unreachable, [given])

    for (const { client, work } of bought) {
      const tasks = await work
      expect(tasks.at(-1)).toMatchObject({ status: 'completed', billing_status: 'settled' })
      expect((await made(client.prompt)).size).toBe(1)
      await expectPaidAsEnded(client, tasks)
      addFigure('egress.refunded', tasks.length - 1)
      addFigure('egress.completed')
    }
    addFigure('egress.waitingCompleted', nameless.length + waiting.length)
    addFigure('egress.hangsSeconds', hangsMs / 1_000)
    expect(await deadLetters()).toEqual([])
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
