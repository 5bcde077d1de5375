import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { buyStubbornly, generateStubbornly, taskEnd } from '../support/client/stubborn-client'
import { expectPaidAsEnded } from '../support/operator/books'
import { audit } from '../support/operator/operator'
import { deadLetters } from '../support/servers/dead-letters'
import { type Owner, withRefusedLogins } from '../support/servers/refused-logins'
import { settings } from '../support/settings'
import { type Behaviour, simulator } from '../support/simulator'
import { faultMs, isLongFault, lastUntil } from '../support/suite/fault-length'
import { addFigure } from '../support/suite/figures'
import { until } from '../support/until'

const credits = 1_000
const clientsOfWave = 6
/** Some ten tries of what stands still; `bun run test:faults` has the ten minutes. */
const refusedMs = faultMs(12_000)
/** Meanwhile as many clients come, that often. */
const waveEveryMs = 20_000
const waves = Math.max(1, Math.floor(refusedMs / waveEveryMs) - 1)
/** Past the outage: what is left of an admission that has just begun, and its refund. */
const timeoutMs = refusedMs + 400_000
const againAfterMs = isLongFault ? 5_000 : 300
const testTimeoutMs = 2 * refusedMs + 600_000

/** What a client is told meanwhile. */
const readsMeanwhile: Record<Owner, number> = { gateway: 503, ledger: 200, dispatcher: 200 }

const held = async (owner: Owner) => {
  const text = await (
    await fetch(owner === 'gateway' ? settings.gatewayMetricsUrl : `${settings.serviceUrls[owner]}/metrics`, { keepalive: false })
  ).text()
  return /^bus_consumer_held\{.*cause="28P01".*\} 1$/m.test(text)
}

const newClients = (behaviour: (index: number) => Behaviour) =>
  Promise.all(
    Array.from({ length: clientsOfWave }, async (_, index) => {
      const prompt = ownWords()
      await simulator.behave(prompt, [behaviour(index)])
      return { prompt, ...(await openAccount({ credits })) }
    }),
  )

for (const owner of ['gateway', 'ledger', 'dispatcher'] as const)
  test(
    `the ${owner}'s login refused under load: nothing is set aside, and every client has its video or its credits, and is charged as it has`,
    async () => {
      const late: Awaited<ReturnType<typeof newClients>>[] = []
      for (let wave = 0; wave < waves; wave++) late.push(await newClients(() => ({ name: 'instant' })))
      const early = await Promise.all(
        // They end while nobody can log in.
        (await newClients(index => ({ name: 'slow', delay_ms: 1_000 + 500 * index }))).map(async client => ({
          ...client,
          taskId: await generateStubbornly(client.api, smallRequest({ prompt: client.prompt })),
        })),
      )
      const first = early[0]
      if (!first) throw new Error('there is no client')

      const bought = await withRefusedLogins(owner, async () => {
        const startedAt = Date.now()
        const works: { client: (typeof late)[number][number]; work: ReturnType<typeof buyStubbornly> }[] = []
        for (const [wave, clients] of late.entries()) {
          await lastUntil(`the ${owner}'s login refused`, startedAt, wave * waveEveryMs)
          for (const client of clients) {
            const work = buyStubbornly(client.api, smallRequest({ prompt: client.prompt }), { timeoutMs, againAfterMs })
            work.catch(() => {})
            works.push({ client, work })
          }
          await until('a consumer that says why it stands still', () => held(owner))
          const read = await first.api.task(first.taskId)
          expect(read.status).toBe(readsMeanwhile[owner])
          if (read.status === 503) expect(read.body.error?.code).toBe('service_unavailable')
        }
        await lastUntil(`the ${owner}'s login refused`, startedAt, refusedMs)
        return works
      })

      for (const { api, accountId, taskId } of early) {
        const task = await taskEnd(api, taskId)
        expect([task.status, task.error]).toEqual(['completed', null])
        await expectPaidAsEnded({ api, accountId, credits }, [task])
      }
      for (const { client, work } of bought) {
        const { api, accountId, prompt } = client
        const tasks = await work
        expect(tasks.at(-1)).toMatchObject({ status: 'completed', billing_status: 'settled' })
        expect(await simulator.submits(prompt)).toHaveLength(1)
        await expectPaidAsEnded({ api, accountId, credits }, tasks)
        addFigure(`${owner}.refunded`, tasks.length - 1)
        addFigure(`${owner}.completed`)
      }
      addFigure(`${owner}.refusedSeconds`, refusedMs / 1_000)
      expect(await deadLetters()).toEqual([])
    },
    testTimeoutMs,
  )

afterAll(async () => {
  expect(await audit()).toEqual([])
})
