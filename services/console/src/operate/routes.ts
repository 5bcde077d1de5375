import { Elysia } from 'elysia'
import type { OperateDeps } from './access/require-operator'
import { accounts } from './accounts/routes'
import { auditLog } from './actions/routes'
import { audit } from './audit/routes'
import { costs } from './costs/routes'
import { changes } from './credit-changes/routes'
import { deadLetters } from './dead-letters/routes'
import { home } from './home/routes'
import { keys } from './keys/routes'
import { margins } from './margins/routes'
import { outcomes } from './outcomes/routes'
import { people } from './people/routes'
import { providers } from './providers/routes'
import { purchases } from './purchases/routes'
import { requests } from './requests/routes'
import { reviews } from './reviews/routes'
import { search } from './search/routes'
import { tasks } from './tasks/routes'

export type OperateAppDeps = Pick<OperateDeps, 'findPerson' | 'sql' | 'stripe'> & {
  /** Undefined if no operator is configured: then nothing is served below /operate. */
  operate?: Pick<OperateDeps, 'services' | 'secondFactorRequired' | 'oidcHasSecondFactor'> | undefined
}

/** The operators' pages: everything below /operate. */
export const operate = ({ operate: settings, ...rest }: OperateAppDeps) => {
  const app = new Elysia({ name: 'operate', normalize: false })
  if (!settings) return app
  const deps = { ...rest, ...settings }
  return app
    .use(home(deps))
    .use(outcomes(deps))
    .use(search(deps))
    .use(people(deps))
    .use(accounts(deps))
    .use(keys(deps))
    .use(changes(deps))
    .use(purchases(deps))
    .use(tasks(deps))
    .use(requests(deps))
    .use(reviews(deps))
    .use(deadLetters(deps))
    .use(audit(deps))
    .use(providers(deps))
    .use(costs(deps))
    .use(margins(deps))
    .use(auditLog(deps))
}
