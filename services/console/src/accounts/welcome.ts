import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { insertAct } from '../acts/act-repository'
import { findPersonById, markVerified } from '../people/person-repository'
import { insertAccount, listMemberships } from './account-repository'
import { insertOpening } from './opening-repository'
import { type StarterRule, starterRefusal } from './starter-rules'

export type WelcomeDeps = { sql: Sql; starterRules: readonly StarterRule[] }

/** The address is confirmed: the person has an account of their own, whose opening at the gateway is noted with it. False where that was so before. */
export async function welcome(
  { sql, starterRules }: WelcomeDeps,
  { personId, address }: { personId: string; address: string | null },
): Promise<boolean> {
  const person = await findPersonById(sql, personId)
  if (!person) return false
  return sql.begin(async sql => {
    if (!(await markVerified(sql, personId))) return false
    await openOwnAccount(sql, { ...person, address }, starterRules)
    await insertAct(sql, { ...person, address }, { accountId: null, act: 'person.verified', subject: personId })
    return true
  })
}

type Newcomer = { id: string; name: string; email: string; address: string | null }

/** In the caller's transaction. */
export async function openOwnAccount(sql: TransactionSql, person: Newcomer, rules: readonly StarterRule[]): Promise<void> {
  const { id: personId, name } = person
  const refusal = await starterRefusal(sql, rules, person)
  const accountId = `acc_${uuidv7().replaceAll('-', '')}`
  await insertAccount(sql, { id: accountId, name, personId })
  await insertOpening(sql, { accountId, personId, starter: refusal === undefined })
  if (refusal !== undefined) await insertAct(sql, person, { accountId, act: 'starter_credits.refused', details: { rule: refusal } })
}

/** A person whose address another provider has confirmed is as good as one who confirmed it here. */
export async function insertAccountOf({ sql, starterRules }: WelcomeDeps, person: Newcomer): Promise<void> {
  const memberships = await listMemberships(sql, person.id)
  if (memberships.length === 0) await sql.begin(sql => openOwnAccount(sql, person, starterRules))
}
