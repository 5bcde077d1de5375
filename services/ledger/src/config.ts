import { operatorEnvironment } from '@filmgate/kit/environment/operator-environment'
import { busVariables, databaseVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import { flag, integer, readVariables } from '@filmgate/kit/environment/variables'

type Environment = Record<string, string | undefined>

/** How often everything is audited, and after which time in a state a reservation is a finding. */
const auditRules = {
  readGroup: (env: Environment) =>
    readVariables(env, {
      fullEveryMs: ['FILMGATE_FULL_AUDIT_EVERY_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 86_400_000 })],
      reservedMaxMs: ['FILMGATE_RESERVED_AGE_MAX_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 259_200_000 })],
      reviewMaxMs: ['FILMGATE_REVIEW_AGE_MAX_MS', integer({ min: 60_000, max: 2_592_000_000, fallback: 259_200_000 })],
      refundPendingMaxMs: ['FILMGATE_REFUND_PENDING_AGE_MAX_MS', integer({ min: 1_000, max: 2_592_000_000, fallback: 300_000 })],
    }),
}

export type Config = ReturnType<typeof readConfig>

/** Parses the environment of the service once. */
export const readConfig = (env: Environment) =>
  readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    ...databaseVariables,
    auditRules,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4101 })],
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 8 })],
    operators: operatorEnvironment,
    /** Of one account at once; a review counts only as long as its generation may run. */
    unfinishedTasksMax: ['FILMGATE_UNFINISHED_TASKS_MAX', integer({ min: 1, max: 1_000_000, fallback: 3 })],
    /** While databases are brought back verdicts wait: one about a reservation that is not there again would contradict the books. */
    recovering: ['FILMGATE_RECOVERY', flag(false)],
    /** How often refunds are posted that a crash left pending. */
    refundSweepEveryMs: ['FILMGATE_REFUND_SWEEP_EVERY_MS', integer({ min: 100, max: 3_600_000, fallback: 5_000 })],
    /** The service audits the books when the last audit of any replica, command or operator is older than this. 0: the service never audits. */
    auditEveryMs: ['FILMGATE_AUDIT_EVERY_MS', integer({ min: 0, max: 86_400_000, fallback: 900_000 })],
  })

/** What the commands `migrate` and `audit` need. */
export const readCommandConfig = (env: Environment) => readVariables(env, { ...serviceVariables, ...databaseVariables, auditRules })
