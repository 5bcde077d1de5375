import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { generateStubbornly, taskEnd } from '../support/client/stubborn-client'
import { audit } from '../support/operator/operator'
import { scrapeAll } from '../support/servers/metrics'
import { simulator } from '../support/simulator'
import { type Component, without } from '../support/stack'
import { timed, until } from '../support/until'

/** What is promised; a busy machine may take longer to say it. */
const answerMs = 5_000
const answerMsMax = 3 * answerMs
const testTimeoutMs = 180_000
const credits = 1_000

type Server = Extract<Component, 'kafka' | 'postgres' | 'redis'>
/** SIGSTOP: it hangs, ports open. SIGTERM: it is gone, ports closed. */
const ways = ['pause', 'stop'] as const

/** What GET /tasks/{id} has to answer meanwhile. */
const readsMeanwhile: Record<Server, number> = { kafka: 200, postgres: 503, redis: 200 }

/** What the gateways show a scrape: 1 while tokens are not taken from Redis. */
const redisAbsent = async () =>
  new Set((await scrapeAll()).filter(({ metric }) => metric === 'rate_limit_redis_absent').map(({ value }) => value))

for (const server of ['kafka', 'postgres', 'redis'] as const)
  for (const way of ways)
    test(
      `${server} ${way === 'pause' ? 'frozen' : 'stopped'}: a clear answer within 5 s or the outcome after its return, never a charge without a task`,
      async () => {
        const { api } = await openAccount({ credits })
        const [before, during] = [ownWords(), ownWords()]
        await simulator.behave(before, [{ name: 'slow', delay_ms: 2_000 }])
        const early = await generateStubbornly(api, smallRequest({ prompt: before }))
        const idempotencyKey = crypto.randomUUID()
        const body = smallRequest({ prompt: during })

        const posted = await without(server, way, async () => {
          const pending = timed(api.generate(body, { idempotencyKey }))
          const reads = await timed(api.task(early))
          expect(reads.ms).toBeLessThan(answerMsMax)
          expect(reads.answer.status).toBe(readsMeanwhile[server])
          if (server === 'redis') expect(await redisAbsent()).toEqual(new Set([1]))
          if (reads.answer.status === 503) expect(reads.answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
          const second = timed(api.generate(smallRequest(), { idempotencyKey: `${idempotencyKey}-2` }))
          // Long enough for whoever is going to answer within the time.
          const readsAsPromised = async () => (await api.task(early)).status === readsMeanwhile[server]
          await Promise.race([Promise.all([pending, second]), Bun.sleep(answerMs + 1_000)])
          await until('reads as promised', readsAsPromised, answerMs)
          return { pending, second }
        })

        for (const { answer, ms } of await Promise.all([posted.pending, posted.second]))
          if (answer.status === 503 && answer.body.error?.code === 'service_unavailable') {
            expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
            expect(ms).toBeLessThan(answerMsMax)
          } else expect([answer.status, answer.body.error?.code]).toEqual([202, undefined])
        // Without its database the gateway can't accept: a POST that is held until it returns has waited too long for its answer.
        if (server === 'postgres') expect((await posted.pending).answer.status).toBe(503)

        const late = await generateStubbornly(api, body, { idempotencyKey })
        const tasks = [await taskEnd(api, early), await taskEnd(api, late)]
        expect(tasks.map(({ status }) => status)).toEqual(['completed', 'completed'])
        const { body: second } = await posted.second.then(({ answer }) => answer)
        if (second.id) tasks.push(await taskEnd(api, second.id))
        const spent = tasks.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0)
        expect(await api.credits()).toBe(credits - spent)
        expect(await simulator.submits(during)).toHaveLength(1)
      },
      testTimeoutMs,
    )

afterAll(async () => {
  expect(await audit()).toEqual([])
})
