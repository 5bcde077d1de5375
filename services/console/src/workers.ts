import type { Sql } from '@filmgate/kit/database/postgres'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { startAccountOpeningWorker } from './accounts/open-account'
import { idleMsMax } from './auth/find-person'
import { deleteEndedSessions, deleteEndedVerifications } from './auth/session-repository'
import { type BillingWorkerDeps, startBilling } from './billing/start-billing'
import { deleteDeviceLoginsBefore } from './device-login/device-login-repository'
import type { UnsubscribeLinks } from './email-preferences/unsubscribe-link'
import type { Gateway } from './gateway/gateway'
import { deleteSubmittedFormsBefore } from './http/form-repository'
import { deleteExpiredAttempts } from './limits/attempt-repository'
import { startLowBalanceNotifier } from './low-balance/notify-low-balances'
import type { Smtp } from './mail/connect-smtp'
import { deleteMailsBefore } from './mail/mail-repository'
import { startMailWorker } from './mail/send-mails'
import { startCrossAudit } from './operate/cross-audit/start-cross-audit'
import type { Services } from './operate/services/services'
import { deleteUnverifiedBefore } from './people/person-repository'
import { deleteAwaitedTasksBefore } from './task-notifications/awaited-task-repository'
import { startTaskNotifier } from './task-notifications/notify-ended-tasks'
import { budgetWarnings, pauseWarnings, sendWarnings } from './warnings/send-warnings'
import { deleteWarningsBefore } from './warnings/warning-repository'

export type WorkerDeps = {
  sql: Sql
  log: Log
  gateway: Gateway
  now: () => Date
  /** For unsubscribe links in mails. */
  links: UnsubscribeLinks
  smtp?: Smtp
  /** Undefined if buying is off. */
  billing?: Pick<BillingWorkerDeps, 'stripe' | 'paymentAskAfterMs' | 'events'>
  /** Undefined if no operator is configured. */
  services?: Services | undefined
}

const warnEveryMs = 10_000
const dayMs = 86_400_000
/** After their end, so that a late poll is told that the code has expired. */
const deviceLoginsKeptMs = 3_600_000
const formsKeptMs = 7 * dayMs
const awaitedKeptMs = 30 * dayMs
const mailsKeptMs = 30 * dayMs
/** Their links work for an hour. */
const unverifiedKeptMs = 7 * dayMs

/** Starts all background workers. */
export function startWorkers({ sql, log, gateway, now, links, smtp, billing, services }: WorkerDeps): {
  stop(): Promise<unknown>
} {
  const before = (ms: number) => new Date(now().getTime() - ms)
  const forget = async () => {
    await deleteDeviceLoginsBefore(sql, before(deviceLoginsKeptMs))
    await deleteSubmittedFormsBefore(sql, before(formsKeptMs))
    await deleteAwaitedTasksBefore(sql, before(awaitedKeptMs))
    await deleteMailsBefore(sql, before(mailsKeptMs))
    await deleteWarningsBefore(sql, before(mailsKeptMs))
    await deleteEndedSessions(sql, before(idleMsMax))
    await deleteEndedVerifications(sql)
    await deleteExpiredAttempts(sql)
    await deleteUnverifiedBefore(sql, before(unverifiedKeptMs))
  }
  if (!smtp) log.warn({}, 'FILMGATE_SMTP_URL is not set: mails stay queued')
  const warnDeps = { sql, gateway, ...links }
  const workers = [
    every(3_600_000, forget, { log, name: 'delete expired rows' }),
    startAccountOpeningWorker({ sql, log, gateway }),
    startTaskNotifier({ sql, log, gateway, ...links }),
    startLowBalanceNotifier({ sql, log, gateway, ...links }),
    every(warnEveryMs, () => sendWarnings(warnDeps, budgetWarnings), { log, name: 'warn of budgets' }),
    every(warnEveryMs, () => sendWarnings(warnDeps, pauseWarnings), { log, name: 'warn of paused webhooks' }),
    ...(billing ? [startBilling({ sql, log, gateway, now, ...billing })] : []),
    ...(services ? [startCrossAudit({ sql, log, services, now })] : []),
    ...(smtp ? [startMailWorker({ sql, log, smtp, now })] : []),
  ]
  return { stop: () => Promise.all(workers.map(({ stop }) => stop())) }
}
