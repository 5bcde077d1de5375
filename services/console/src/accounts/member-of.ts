import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type Person, type PersonDeps, requirePerson } from '../door/person'
import type { Reason } from '../errors'
import { listMemberships, type Membership } from './account-repository'
import { isAtLeast, type Role } from './roles'

export type MemberDeps = PersonDeps & { sql: Sql }

/** What routes of an account have. */
export type Inside = { person: Person; member: Membership; memberships: Membership[] }

/**
 * Routes of one account, below /accounts/:id: they have `person`, `member` (the account and the person's role) and `memberships` (all accounts of the
 * person, for the switch). An account that isn't the person's is answered like one that isn't there.
 */
export const memberOf = (deps: MemberDeps) =>
  new Elysia({ name: 'member-of' }).derive({ as: 'scoped' }, async function requireMember({ request, params }): Promise<Inside> {
    const person = await requirePerson(deps, request)
    const memberships = await listMemberships(deps.sql, person.id)
    const id = (params as Record<string, string>).id
    const member = memberships.find(({ accountId }) => accountId === id)
    if (!member) throw new Failure<Reason>('not_found')
    return { person, member, memberships }
  })

/** The first line of an act that not every member may do. */
export function requireRole(member: Membership, needed: Role): void {
  if (!isAtLeast(member.role, needed)) throw new Failure<Reason>('role_insufficient')
}
