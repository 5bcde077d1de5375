import type { Sql } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type UnsubscribeLinks, unsubscribeUrl } from '../email-preferences/unsubscribe-link'
import type { Gateway } from '../gateway/gateway'
import { requestAsConsole } from '../gateway/request-as-console'
import { accountPath } from '../layout/menu'
import { queueMail } from '../mail/queue-mail'
import { claimBalanceChecks, recordBalanceChecks } from './balance-repository'
import { lowBalanceMail } from './low-balance-mail'

export type NotifyDeps = { sql: Sql; log: Log; gateway: Gateway } & UnsubscribeLinks

const pollEveryMs = 2_000
/** The maximum age of a balance. 500 accounts take one request and one statement. */
const checkEveryMs = 20_000
const batchMax = 500
const gapMsDefault = 3_600_000

/** Checks balances that somebody wants to be notified about, and mails each fall below a threshold once. */
export function startLowBalanceNotifier(deps: NotifyDeps): { stop(): Promise<void> } {
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        return await notifyLowBalances(deps, { limit })
      } catch (error) {
        deps.log.warn({ err: error }, 'balance check failed')
        return 0
      }
    },
  })
}

/** Returns how many balances were checked. A balance and its mail are stored in one transaction. */
export async function notifyLowBalances(
  { sql, gateway, ...links }: NotifyDeps,
  { limit = batchMax, everyMs = checkEveryMs, gapMs = gapMsDefault }: { limit?: number; everyMs?: number; gapMs?: number } = {},
): Promise<number> {
  const claimed = await claimBalanceChecks(sql, limit, everyMs)
  if (claimed.length === 0) return 0
  const accountIds = [...new Set(claimed.map(({ accountId }) => accountId))]
  const found = await requestAsConsole<{ account_id: string; available_credits: number }>(gateway, '/balances', { account_ids: accountIds })
  const available = new Map(found.map(({ account_id, available_credits }) => [account_id, available_credits]))
  const checks = claimed.flatMap(each => {
    const credits = available.get(each.accountId)
    return credits === undefined ? [] : [{ ...each, available: credits }]
  })
  await sql.begin(async sql => {
    for (const low of await recordBalanceChecks(sql, checks, gapMs)) {
      const { accountId, personId } = low
      const billingUrl = `${links.consoleUrl}${accountPath(accountId, 'billing')}`
      await queueMail(
        sql,
        lowBalanceMail(low, { billingUrl, unsubscribeUrl: unsubscribeUrl(links, { accountId, personId, kind: 'low-balance' }) }),
      )
    }
  })
  return claimed.length
}
