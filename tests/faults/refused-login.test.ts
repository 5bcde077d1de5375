import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/account'
import { deadLetters } from '../support/dead-letters'
import { audit } from '../support/operator'
import { type Owner, withRefusedLogins } from '../support/refused-logins'
import { ownWords, smallRequest } from '../support/request'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { generateStubbornly, taskEnd } from '../support/stubborn-client'
import { until } from '../support/until'

const testTimeoutMs = 240_000
const credits = 1_000
const accountsOfTest = 6
/** Many times what it took to set a message aside; what is tried for longer is tried in the same way. */
const refusedMs = 25_000

/** What a client is told meanwhile. */
const readsMeanwhile: Record<Owner, number> = { gateway: 503, ledger: 200, dispatcher: 200 }

const held = async (owner: Owner) => {
  const text = await (await fetch(`${settings.serviceUrls[owner]}/metrics`, { keepalive: false })).text()
  return /^bus_consumer_held\{.*cause="28P01".*\} 1$/m.test(text)
}

for (const owner of ['gateway', 'ledger', 'dispatcher'] as const)
  test(
    `the ${owner}'s login refused under load: nothing is set aside or declined, and every video is made and charged once`,
    async () => {
      const accounts = await Promise.all(Array.from({ length: accountsOfTest }, () => openAccount({ credits })))
      const jobs = await Promise.all(
        accounts.map(async ({ api }, index) => {
          const [before, during] = [ownWords(), ownWords()]
          // They end while nobody can log in.
          await simulator.behave(before, [{ name: 'slow', delay_ms: 1_000 + 500 * index }])
          return { api, before, during, early: await generateStubbornly(api, smallRequest({ prompt: before })) }
        }),
      )

      const posted = await withRefusedLogins(owner, async () => {
        const startedAt = Date.now()
        const posted = jobs.map(({ api, during }) => generateStubbornly(api, smallRequest({ prompt: during })))
        for (const work of posted) work.catch(() => {})
        await until('a consumer that says why it stands still', () => held(owner))
        const read = await jobs[0]?.api.task(jobs[0].early)
        expect(read?.status).toBe(readsMeanwhile[owner])
        if (read?.status === 503) expect(read.body.error?.code).toBe('service_unavailable')
        await Bun.sleep(Math.max(0, startedAt + refusedMs - Date.now()))
        return posted
      })

      for (const [index, { api, before, during, early }] of jobs.entries()) {
        const tasks = [await taskEnd(api, early), await taskEnd(api, (await posted[index]) ?? '')]
        expect(tasks.map(({ status, error }) => [status, error])).toEqual(Array(2).fill(['completed', null]))
        for (const words of [before, during]) expect(await simulator.submits(words)).toHaveLength(1)
        expect(await api.credits()).toBe(credits - tasks.reduce((sum, { credits_used }) => sum + credits_used, 0))
      }
      expect(await deadLetters()).toEqual([])
    },
    testTimeoutMs,
  )

afterAll(async () => {
  expect(await audit()).toEqual([])
})
