import type { Sql } from '@filmgate/kit/database/postgres'
import type { Role } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import { keepHolder } from '@filmgate/kit/operator/holder'
import { Elysia } from 'elysia'
import { requireRecentSignIn } from '../../auth/require-recent-sign-in'
import type { StripeApi } from '../../billing/stripe/stripe-api'
import type { Reason } from '../../errors'
import { type Person, type PersonDeps, requirePerson } from '../../http/person'
import type { Services } from '../services/services'
import { requireSecondFactor } from './require-second-factor'

export type OperateDeps = PersonDeps & { sql: Sql; secondFactorRequired: boolean; oidcHasSecondFactor: boolean; services: Services } & {
  /** Undefined if buying is off. */
  stripe?: Pick<StripeApi, 'livemode'> | undefined
}

/** The operator of a request. Every action is recorded with `person.email`. */
export type Operator = { person: Person; role: Role }

/**
 * Plugin for all operators' pages. Adds `operator`; everyone else gets 404. Routes declare their role with kit's `act`,
 * which reads it from the holder. Actions that move money also need a recent sign-in.
 */
export const requireOperator = (deps: OperateDeps) =>
  new Elysia({ name: 'require-operator' }).derive({ as: 'scoped' }, async function requireOperator({ request }): Promise<{
    operator: Operator
  }> {
    const person = await requirePerson(deps, request)
    const role = person.operatorRole
    if (!role) throw new Failure<Reason>('not_found')
    if (deps.secondFactorRequired) await requireSecondFactor(deps, person)
    const prove = async (needed: Role) => {
      if (needed === 'money') await requireRecentSignIn(deps, person)
    }
    keepHolder(request, { name: person.email, role, actsForOthers: false, prove })
    return { operator: { person, role } }
  })
