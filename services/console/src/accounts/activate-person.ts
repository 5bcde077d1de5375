import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { findPersonById, markVerified } from '../people/person-repository'
import { insertAccount, listMemberships } from './account-repository'
import { insertOpening } from './opening-repository'
import { type StarterRule, starterRefusal } from './starter-rules'

export type ActivateDeps = { sql: Sql; starterRules: readonly StarterRule[] }

/**
 * Marks the address as confirmed and opens the person's first account; a worker opens it at the gateway. Returns false
 * if the address was confirmed already.
 */
export async function activatePerson(
  { sql, starterRules }: ActivateDeps,
  { personId, address }: { personId: string; address: string | null },
): Promise<boolean> {
  const person = await findPersonById(sql, personId)
  if (!person) return false
  return sql.begin(async sql => {
    if (!(await markVerified(sql, personId))) return false
    await openPersonalAccount(sql, { ...person, address }, starterRules)
    await insertAuditEntry(sql, { ...person, address }, { accountId: null, action: 'person.verified', subject: personId })
    return true
  })
}

type Newcomer = { id: string; name: string; email: string; address: string | null }

/** Runs in the caller's transaction. */
export async function openPersonalAccount(sql: TransactionSql, person: Newcomer, rules: readonly StarterRule[]): Promise<void> {
  const { id: personId, name } = person
  const refusal = await starterRefusal(sql, rules, person)
  const accountId = `acc_${uuidv7().replaceAll('-', '')}`
  await insertAccount(sql, { id: accountId, name, personId })
  await insertOpening(sql, { accountId, personId, starter: refusal === undefined })
  if (refusal !== undefined)
    await insertAuditEntry(sql, person, { accountId, action: 'starter_credits.refused', details: { rule: refusal } })
}

/** For a person whose address an OIDC provider has confirmed. */
export async function ensurePersonalAccount({ sql, starterRules }: ActivateDeps, person: Newcomer): Promise<void> {
  const memberships = await listMemberships(sql, person.id)
  if (memberships.length === 0) await sql.begin(sql => openPersonalAccount(sql, person, starterRules))
}
