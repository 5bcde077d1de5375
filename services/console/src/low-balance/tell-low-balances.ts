import type { Sql } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { askAsConsole } from '../gateway/ask-as-console'
import type { Gateway } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { queueMail } from '../mail/queue-mail'
import { type StopLinks, stopUrl } from '../mail-choices/stop-link'
import { claimLooks, keepLooks } from './balance-repository'
import { lowBalanceMail } from './low-balance-mail'

export type LookDeps = { sql: Sql; log: Log; gateway: Gateway } & StopLinks

const pollEveryMs = 2_000
/** How old a balance may be: 500 accounts are one question and one statement. */
const lookEveryMs = 20_000
const batchMax = 500
const gapMsDefault = 3_600_000

/** Looks at the balances that somebody wants to be told of, and mails each fall below a bound once. */
export function startBalanceTeller(deps: LookDeps): { stop(): Promise<void> } {
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        return await tellLowBalances(deps, { limit })
      } catch (error) {
        deps.log.warn({ err: error }, 'balances not looked at')
        return 0
      }
    },
  })
}

/** How many were looked at. What was seen of a balance and its mail are kept together, or neither is. */
export async function tellLowBalances(
  { sql, gateway, ...links }: LookDeps,
  { limit = batchMax, everyMs = lookEveryMs, gapMs = gapMsDefault }: { limit?: number; everyMs?: number; gapMs?: number } = {},
): Promise<number> {
  const claimed = await claimLooks(sql, limit, everyMs)
  if (claimed.length === 0) return 0
  const accountIds = [...new Set(claimed.map(({ accountId }) => accountId))]
  const found = await askAsConsole<{ account_id: string; available_credits: number }>(gateway, '/balances', { account_ids: accountIds })
  const available = new Map(found.map(({ account_id, available_credits }) => [account_id, available_credits]))
  const looks = claimed.flatMap(each => {
    const credits = available.get(each.accountId)
    return credits === undefined ? [] : [{ ...each, available: credits }]
  })
  await sql.begin(async sql => {
    for (const low of await keepLooks(sql, looks, gapMs)) {
      const { accountId, personId } = low
      const billingUrl = `${links.consoleUrl}${accountPath(accountId, 'billing')}`
      await queueMail(sql, lowBalanceMail(low, { billingUrl, stopUrl: stopUrl(links, { accountId, personId, kind: 'low-balance' }) }))
    }
  })
  return claimed.length
}
