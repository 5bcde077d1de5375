import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { insertAct } from '../acts/act-repository'
import { findPersonById, markVerified } from '../people/person-repository'
import { insertAccount, listMemberships } from './account-repository'
import { insertOpening } from './opening-repository'

/** The address is confirmed: the person has an account of their own, whose opening at the gateway is noted with it. False where that was so before. */
export async function welcome({ sql }: { sql: Sql }, personId: string): Promise<boolean> {
  const person = await findPersonById(sql, personId)
  if (!person) return false
  return sql.begin(async sql => {
    if (!(await markVerified(sql, personId))) return false
    await openOwnAccount(sql, person)
    await insertAct(sql, { ...person, address: null }, { accountId: null, act: 'person.verified', subject: personId })
    return true
  })
}

/** In the caller's transaction. */
export async function openOwnAccount(sql: TransactionSql, { id: personId, name }: { id: string; name: string }): Promise<void> {
  const accountId = `acc_${uuidv7().replaceAll('-', '')}`
  await insertAccount(sql, { id: accountId, name, personId })
  await insertOpening(sql, { accountId, personId })
}

/** A person whose address another provider has confirmed is as good as one who confirmed it here. */
export async function insertAccountOf({ sql }: { sql: Sql }, person: { id: string; name: string; email: string }): Promise<void> {
  const memberships = await listMemberships(sql, person.id)
  if (memberships.length === 0) await sql.begin(sql => openOwnAccount(sql, person))
}
