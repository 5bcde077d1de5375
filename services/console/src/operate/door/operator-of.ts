import type { Sql } from '@filmgate/kit/database/postgres'
import type { Role } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import { keepHolder } from '@filmgate/kit/operator/holder'
import { Elysia } from 'elysia'
import { requireRecent } from '../../auth/require-recent'
import type { StripeApi } from '../../billing/stripe/stripe-api'
import { type Person, type PersonDeps, requirePerson } from '../../door/person'
import type { Reason } from '../../errors'
import type { Services } from '../services/services'
import { requireSecondFactor } from './require-second-factor'

export type OperateDeps = PersonDeps & { sql: Sql; secondFactorRequired: boolean; providerAsks: boolean; services: Services } & {
  /** Not there where buying is off. */
  stripe?: Pick<StripeApi, 'livemode'> | undefined
}

/** Who is at work: every act is kept with `person.email`. */
export type Operator = { person: Person; role: Role }

/**
 * Before every page of operators, which have `operator`. For everybody else there is nothing here. What a route does declares the role
 * that it needs by kit's `act`, which reads it of the holder; what moves money also asks for a recent sign-in.
 */
export const operatorOf = (deps: OperateDeps) =>
  new Elysia({ name: 'operator-of' }).derive({ as: 'scoped' }, async function requireOperator({ request }): Promise<{
    operator: Operator
  }> {
    const person = await requirePerson(deps, request)
    const role = person.operatorRole
    if (!role) throw new Failure<Reason>('not_found')
    if (deps.secondFactorRequired) await requireSecondFactor(deps, person)
    const prove = async (needed: Role) => {
      if (needed === 'money') await requireRecent(deps, person)
    }
    keepHolder(request, { name: person.email, role, actsForOthers: false, prove })
    return { operator: { person, role } }
  })
