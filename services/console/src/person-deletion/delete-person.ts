import { createHmac } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of'
import { type LentDeps, revokeLentKeysOfFormer } from '../try-it/revoke-lent-keys'
import {
  deleteMailsOf,
  deletePersonRow,
  eraseFromActs,
  eraseFromInvitations,
  listAddresses,
  listOwnedAlone,
  lockPersonAndAccounts,
} from './person-data-repository'

/** What stands in the log of acts for somebody who was erased. Whoever has the secret and an address can tell whether it was that one. */
export const pseudonymOf = (secret: string, email: string): string =>
  `deleted-${createHmac('sha256', secret).update(`erased\n${email.toLowerCase()}`).digest('hex').slice(0, 16)}`

/** Erases a person. False where an account would be left without an owner: nothing is changed then. */
export async function deletePerson(deps: LentDeps & { authSecret: string }, person: Person): Promise<boolean> {
  const accounts = await erase(deps, person)
  if (!accounts) return false
  const actor = { ...person, email: pseudonymOf(deps.authSecret, person.email), address: null }
  for (const accountId of accounts) await revokeLentKeysOfFormer(deps, { actor, accountId, personId: person.id })
  return true
}

/** Tells which accounts they were in. */
const erase = ({ sql, authSecret }: { sql: Sql; authSecret: string }, person: Person): Promise<string[] | undefined> =>
  sql.begin(async sql => {
    const accounts = await lockPersonAndAccounts(sql, person.id)
    if ((await listOwnedAlone(sql, person.id)).length > 0) return undefined
    for (const accountId of accounts) await insertAct(sql, person, { accountId, act: 'member.left', subject: person.id })
    await insertAct(sql, person, { accountId: null, act: 'person.deleted', subject: person.id })
    await revokeInvitationsOf(sql, { actor: person, inviter: person, accountId: null })
    const personId = person.id
    const erased = { personId, addresses: await listAddresses(sql, personId), pseudonym: pseudonymOf(authSecret, person.email) }
    await eraseFromActs(sql, erased)
    await eraseFromInvitations(sql, erased)
    await deleteMailsOf(sql, erased.addresses)
    await deletePersonRow(sql, personId)
    return accounts
  })
