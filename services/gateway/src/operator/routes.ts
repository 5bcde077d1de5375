import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import { Elysia } from 'elysia'
import { type BudgetRouteDeps, budgetRoutes } from '../budgets/operator-routes'
import { creditChanges } from '../credit-changes/operator-routes'
import { type DeadLetterRouteDeps, deadLetterRoutes } from '../dead-letters/operator-routes'
import { type LimitAddressDeps, limitAddress } from '../rate-limit/limit-address'
import { requestRoutes } from '../request-log/operator-routes'
import { accountRoutes } from './account-routes'
import { factRoutes } from './fact-routes'
import { keyRoutes } from './key-routes'
import { taskRoutes } from './task-routes'

export type OperatorDeps = Parameters<typeof accountRoutes>[0] &
  Parameters<typeof keyRoutes>[0] &
  Parameters<typeof taskRoutes>[0] &
  BudgetRouteDeps &
  DeadLetterRouteDeps &
  LimitAddressDeps & { operators: Operators }

/** What operators may do, behind a token of their own; `bun run ops` speaks to it. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators, request => limitAddress(deps, request)))
    .use(accountRoutes(deps))
    .use(creditChanges(deps))
    .use(keyRoutes(deps))
    .use(budgetRoutes(deps))
    .use(taskRoutes(deps))
    .use(requestRoutes(deps))
    .use(factRoutes(deps))
    .use(deadLetterRoutes(deps))
