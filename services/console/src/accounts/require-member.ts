import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type Person, type PersonDeps, requirePerson } from '../http/person'
import { listMemberships, type Membership } from './account-repository'
import { isAtLeast, type Role } from './roles'

export type MemberDeps = PersonDeps & { sql: Sql }

/** What handlers of an account's routes receive. */
export type MemberContext = { person: Person; member: Membership; memberships: Membership[] }

/**
 * Plugin for routes below /accounts/:id. Adds `person`, `member` (the account and the person's role) and `memberships`
 * (all accounts of the person, for the account switcher). Answers 404 for a foreign account, as for an unknown one.
 */
export const requireMember = (deps: MemberDeps) =>
  new Elysia({ name: 'require-member' }).derive(
    { as: 'scoped' },
    async function requireMember({ request, params }): Promise<MemberContext> {
      const person = await requirePerson(deps, request)
      const memberships = await listMemberships(deps.sql, person.id)
      const id = (params as Record<string, string>).id
      const member = memberships.find(({ accountId }) => accountId === id)
      if (!member) throw new Failure<Reason>('not_found')
      return { person, member, memberships }
    },
  )

/** Call first in handlers that not every member may use. */
export function requireRole(member: Membership, needed: Role): void {
  if (!isAtLeast(member.role, needed)) throw new Failure<Reason>('role_insufficient')
}
