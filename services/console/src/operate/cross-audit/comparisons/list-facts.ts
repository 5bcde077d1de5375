import { pause } from '@filmgate/kit/deadline'
import { listOf } from '@filmgate/proto/operator/answer'
import type { Static, TSchema } from '@sinclair/typebox'
import { errorMessage, type Service, type Services } from '../../services/services'
import type { ListPage } from './comparison'

const triesMax = 3
const retryAfterMs = 1_000
/** A page may wait for a database that is busy. */
const timeoutMs = 30_000
/** The console's own identity, for work on nobody's behalf. */
const actor = { email: 'console' }

/** A list of a service's facts. It only reads, so a request without an answer is repeated. */
export const listFacts =
  <S extends TSchema>(services: Services, service: Service, { path, fact }: { path: string; fact: S }): ListPage<Static<S>> =>
  async ({ since, ...range }, limit) => {
    const query = new URLSearchParams({ ...range, ...(since && { since: since.toISOString() }), limit: String(limit) })
    for (let tries = 1; ; tries++) {
      const result = await services.ask(actor, service, { answer: listOf(fact), path: `/facts/${path}?${query}`, timeoutMs })
      if (result.ok) return result.value.data
      if (tries === triesMax) throw new Error(errorMessage(result))
      await pause(retryAfterMs)
    }
  }
