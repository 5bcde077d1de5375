import { Elysia } from 'elysia'
import { type AccountRouteDeps, accountRoutes, openingRoute } from './account-routes'
import { type BatchDeps, batchRoutes } from './batch/routes'
import { type BudgetRouteDeps, budgetRoutes } from './budgets/routes'
import { type ChangeRouteDeps, changeRoutes } from './change-routes'
import { type GenerationRouteDeps, generationRoutes, modelsRoute } from './generation-routes'
import { keyRoutes } from './key-routes'
import { requestRoutes } from './requests/routes'
import { type TaskRouteDeps, taskRoutes } from './task-routes'
import { type UploadRouteDeps, uploadRoutes } from './uploads/routes'
import { usageRoutes } from './usage-routes'
import { webhookRoutes } from './webhooks/routes'

type RouteDeps = AccountRouteDeps &
  Parameters<typeof keyRoutes>[0] &
  GenerationRouteDeps &
  TaskRouteDeps &
  UploadRouteDeps &
  ChangeRouteDeps &
  BudgetRouteDeps &
  BatchDeps &
  Parameters<typeof webhookRoutes>[0]
/** Without a token its paths answer as unknown ones. */
export type ConsoleDeps = Omit<RouteDeps, 'consoleTokens'> & { consoleTokens: RouteDeps['consoleTokens'] | undefined }

/** The console's internal API: what its people may do with their accounts, behind a token of its own. In no description and on no Ingress. */
export function consoleRoutes({ consoleTokens, ...rest }: ConsoleDeps) {
  const app = new Elysia({ name: 'console', prefix: '/console', normalize: false })
  if (consoleTokens === undefined) return app
  const deps = { ...rest, consoleTokens }
  return app
    .use(openingRoute(deps))
    .use(accountRoutes(deps))
    .use(keyRoutes(deps))
    .use(modelsRoute(deps))
    .use(generationRoutes(deps))
    .use(taskRoutes(deps))
    .use(uploadRoutes(deps))
    .use(usageRoutes(deps))
    .use(requestRoutes(deps))
    .use(changeRoutes(deps))
    .use(budgetRoutes(deps))
    .use(batchRoutes(deps))
    .use(webhookRoutes(deps))
}
