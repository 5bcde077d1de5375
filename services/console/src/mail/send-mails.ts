import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge } from '@filmgate/kit/telemetry/metrics'
import type { Smtp } from './connect-smtp'
import { type ClaimedMail, claimMails, countPendingMails, delayMail, markFailed, markSent } from './mail-repository'

type Deps = { sql: Sql; log: Log; smtp: Smtp; now: () => Date }

const leaseMs = 60_000
const pollEveryMs = 1_000
const batchMax = 10
const retryForMs = 3 * 86_400_000

const outcomes = counter('mails', 'Attempts to send a mail by outcome', { outcome: ['sent', 'delayed', 'failed'] })

/** Sends queued mails and retries for three days. A permanent rejection is not retried. */
export function startMailWorker(deps: Deps): { stop(): Promise<void> } {
  const { sql, log } = deps
  gauge('mails_waiting', 'Mails that are not sent yet', async () => [{ value: await countPendingMails(sql), attributes: {} }])
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        const mails = await claimMails(sql, limit, leaseMs)
        await Promise.all(mails.map(mail => sendMail(deps, mail)))
        return mails.length
      } catch (error) {
        log.warn({ err: error }, 'claiming mails failed')
        return 0
      }
    },
  })
}

async function sendMail({ sql, log, smtp, now }: Deps, { recipient, tries, createdAt, ...mail }: ClaimedMail): Promise<void> {
  try {
    await smtp.send({ ...mail, to: recipient })
    outcomes.add(1, { outcome: 'sent' })
    await markSent(sql, mail.id)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isFinal = isRefused(error) || now().getTime() - createdAt.getTime() > retryForMs
    outcomes.add(1, { outcome: isFinal ? 'failed' : 'delayed' })
    log.warn({ mail: mail.id, tries, error: message, final: isFinal }, 'mail not sent')
    await (isFinal ? markFailed(sql, mail.id, message) : delayMail(sql, mail.id, backoffMs(tries, 2_000, 600_000), message))
  }
}

/**
 * A permanent rejection of the recipient or the content (RFC 5321, 4.2.1: 5yz). A rejected login can be fixed, so it is
 * retried.
 */
const isRefused = (error: unknown): boolean => {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
