import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import { claimOpenings, countPendingOpenings, delayOpening, deleteOpening, type Opening } from './opening-repository'

type Deps = { sql: Sql; log: Log; gateway: Gateway }

const leaseMs = 60_000
const pollEveryMs = 500
const batchMax = 10

/**
 * Opens accounts at the gateway and requests starter credits where the rules allow them. Retries until both are done or
 * the gateway rejects one permanently. Both requests are idempotent.
 */
export function startAccountOpeningWorker(deps: Deps): { stop(): Promise<void> } {
  const { sql, log } = deps
  gauge('account_openings_waiting', 'Accounts that are not opened at the gateway yet', async () => [
    { value: await countPendingOpenings(sql), attributes: {} },
  ])
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        const openings = await claimOpenings(sql, limit, leaseMs)
        await Promise.all(openings.map(opening => openAccount(deps, opening)))
        return openings.length
      } catch (error) {
        log.warn({ err: error }, 'claiming account openings failed')
        return 0
      }
    },
  })
}

export async function openAccount({ sql, log, gateway }: Deps, opening: Opening): Promise<void> {
  const { accountId, accountName, personId, email, tries, starter } = opening
  const actor = { id: personId, email }
  try {
    requireSuccess(await gateway.request(actor, { method: 'PUT', path: `/accounts/${accountId}`, body: { name: accountName } }))
    if (starter) requireSuccess(await gateway.request(actor, { method: 'POST', path: `/accounts/${accountId}/starter-credits` }))
    await deleteOpening(sql, accountId)
  } catch (error) {
    if (error instanceof PermanentRefusal) {
      // A retry would be rejected again. Renaming the account opens it, because that sends the same request.
      log.error({ err: error, account: accountId, tries }, 'opening an account failed permanently')
      await deleteOpening(sql, accountId)
      return
    }
    log.warn({ err: error, account: accountId, tries }, 'opening an account failed, retrying')
    await delayOpening(sql, accountId, backoffMs(tries, 500, 60_000))
  }
}

function requireSuccess(answer: GatewayResult<unknown>): void {
  if (answer.ok) return
  const message = `the gateway answered ${answer.status} ${answer.code}`
  throw answer.status === 400 ? new PermanentRefusal(message) : new Error(message)
}

class PermanentRefusal extends Error {}
