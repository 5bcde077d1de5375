import { integer, readConfig, secret, url } from '@filmgate/kit/config'
import { busVariables, outboxVariables, serviceVariables } from '@filmgate/kit/service-environment'

const database = { databaseUrl: ['DATABASE_URL', url({ protocols: ['postgres', 'postgresql'] })] } as const

/** What counts as overdue, and how often everything is audited. */
const audits = {
  fullEveryMs: ['FILMGATE_FULL_AUDIT_EVERY_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 86_400_000 })],
  reservedMaxMs: ['FILMGATE_RESERVED_AGE_MAX_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 259_200_000 })],
  reviewMaxMs: ['FILMGATE_REVIEW_AGE_MAX_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 259_200_000 })],
  refundPendingMaxMs: ['FILMGATE_REFUND_PENDING_AGE_MAX_MS', integer({ min: 1_000, max: 2_592_000_000, fallback: 300_000 })],
} as const

export type Config = ReturnType<typeof ledgerConfig>

/** Parses the environment once. */
export const ledgerConfig = (env: Record<string, string | undefined>) =>
  readConfig(env, {
    ...serviceVariables,
    ...busVariables,
    ...outboxVariables,
    ...database,
    ...audits,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4101 })],
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 8 })],
    operatorToken: ['FILMGATE_OPERATOR_TOKEN', secret({ lengthMin: 24 })],
    /** Open reservations of one account. */
    unfinishedTasksMax: ['FILMGATE_UNFINISHED_TASKS_MAX', integer({ min: 1, max: 1_000_000, fallback: 3 })],
    /** How often pending refunds are completed that a crash left behind. */
    refundSweepEveryMs: ['FILMGATE_REFUND_SWEEP_EVERY_MS', integer({ min: 100, max: 3_600_000, fallback: 5_000 })],
    /** The books are audited when the last audit, by whomever, is older. 0: never by the service itself. */
    auditEveryMs: ['FILMGATE_AUDIT_EVERY_MS', integer({ min: 0, max: 86_400_000, fallback: 900_000 })],
  })

/** What the commands beside the service need. */
export const commandConfig = (env: Record<string, string | undefined>) => readConfig(env, { ...serviceVariables, ...database, ...audits })
