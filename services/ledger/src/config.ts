import { integer, readConfig, secret, url } from '@filmgate/kit/config'
import { busVariables, serviceVariables } from '@filmgate/kit/service-environment'

const database = { databaseUrl: ['DATABASE_URL', url({ protocols: ['postgres', 'postgresql'] })] } as const

export type Config = ReturnType<typeof ledgerConfig>

/** Parses the environment once. */
export const ledgerConfig = (env: Record<string, string | undefined>) =>
  readConfig(env, {
    ...serviceVariables,
    ...busVariables,
    ...database,
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
export const commandConfig = (env: Record<string, string | undefined>) => readConfig(env, { ...serviceVariables, ...database })
