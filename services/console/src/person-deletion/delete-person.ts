import { createHmac } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { deleteInvitationsOf } from '../invitations/invitation-repository'
import { deletePersonRows, eraseFromActs, listOwnedAlone, lockPersonAndAccounts } from './person-data-repository'

/** What stands in the log of acts for somebody who was erased. Whoever has the secret and an address can tell whether it was that one. */
export const pseudonymOf = (secret: string, email: string): string =>
  `deleted-${createHmac('sha256', secret).update(`erased\n${email.toLowerCase()}`).digest('hex').slice(0, 16)}`

/** Erases a person. False where an account would be left without an owner: nothing is changed then. */
export const deletePerson = ({ sql, authSecret }: { sql: Sql; authSecret: string }, person: Person): Promise<boolean> =>
  sql.begin(async sql => {
    const accounts = await lockPersonAndAccounts(sql, person.id)
    if ((await listOwnedAlone(sql, person.id)).length > 0) return false
    for (const accountId of accounts) await insertAct(sql, person, { accountId, act: 'member.left', subject: person.id })
    await insertAct(sql, person, { accountId: null, act: 'person.deleted', subject: person.id })
    const { id: personId, email } = person
    await eraseFromActs(sql, { personId, email, pseudonym: pseudonymOf(authSecret, email) })
    await deleteInvitationsOf(sql, email)
    await deletePersonRows(sql, personId, email)
    return true
  })
