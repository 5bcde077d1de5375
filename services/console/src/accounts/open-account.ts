import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Answered, Gateway } from '../gateway/gateway'
import { claimOpenings, countWaitingOpenings, delayOpening, deleteOpening, type Opening } from './opening-repository'

type Deps = { sql: Sql; log: Log; gateway: Gateway }

const leaseMs = 60_000
const pollEveryMs = 500
const batchMax = 10

/** Opens accounts at the gateway and asks for their person's starter credits, where the rules let them have some, again and again until both are done, or one is refused as what it is: each can be asked for twice. */
export function startOpeningWorker(deps: Deps): { stop(): Promise<void> } {
  const { sql, log } = deps
  gauge('account_openings_waiting', 'Accounts that the gateway was not yet told of', async () => [
    { value: await countWaitingOpenings(sql), attributes: {} },
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
        log.warn({ err: error }, 'openings not taken')
        return 0
      }
    },
  })
}

export async function openAccount({ sql, log, gateway }: Deps, opening: Opening): Promise<void> {
  const { accountId, accountName, personId, email, tries, starter } = opening
  const actor = { id: personId, email }
  try {
    settled(await gateway.ask(actor, { method: 'PUT', path: `/accounts/${accountId}`, body: { name: accountName } }))
    if (starter) settled(await gateway.ask(actor, { method: 'POST', path: `/accounts/${accountId}/starter-credits` }))
    await deleteOpening(sql, accountId)
  } catch (error) {
    if (error instanceof RefusedForGood) {
      // Asked for again it is refused again. Whoever renames the account has it opened by that.
      log.error({ err: error, account: accountId, tries }, 'account not opened, and given up')
      await deleteOpening(sql, accountId)
      return
    }
    log.warn({ err: error, account: accountId, tries }, 'account not opened yet, will be tried again')
    await delayOpening(sql, accountId, backoffMs(tries, 500, 60_000))
  }
}

function settled(answer: Answered<unknown>): void {
  if (answer.ok) return
  const words = `the gateway answered ${answer.status} ${answer.code}`
  throw answer.status === 400 ? new RefusedForGood(words) : new Error(words)
}

class RefusedForGood extends Error {}
