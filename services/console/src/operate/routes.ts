import { Elysia } from 'elysia'
import { accounts } from './accounts/routes'
import { actLog } from './acts/routes'
import { audit } from './audit/routes'
import { changes } from './credit-changes/routes'
import { deadLetters } from './dead-letters/routes'
import type { OperateDeps } from './door/operator-of'
import { home } from './home/routes'
import { keys } from './keys/routes'
import { margins } from './margins/routes'
import { providers } from './providers/routes'
import { purchases } from './purchases/routes'
import { reviews } from './reviews/routes'
import { tasks } from './tasks/routes'

export type OperateAppDeps = Pick<OperateDeps, 'findPerson' | 'sql' | 'stripe'> & {
  /** Undefined where nobody is named as an operator: then there is nothing below /operate. */
  operate?: Pick<OperateDeps, 'services' | 'secondFactorRequired' | 'providerAsks'> | undefined
}

/** What operators see and do: everything below /operate. */
export const operate = ({ operate: settings, ...rest }: OperateAppDeps) => {
  const app = new Elysia({ name: 'operate', normalize: false })
  if (!settings) return app
  const deps = { ...rest, ...settings }
  return app
    .use(home(deps))
    .use(accounts(deps))
    .use(keys(deps))
    .use(changes(deps))
    .use(purchases(deps))
    .use(tasks(deps))
    .use(reviews(deps))
    .use(deadLetters(deps))
    .use(audit(deps))
    .use(providers(deps))
    .use(margins(deps))
    .use(actLog(deps))
}
