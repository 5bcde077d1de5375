import { createHmac } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of'
import { revokeTemporaryKeysOfFormerOwner, type TemporaryKeyDeps } from '../try-it/revoke-temporary-keys'
import {
  deletePersonRow,
  eraseFromAuditLog,
  eraseFromInvitations,
  eraseFromMails,
  listAddresses,
  listSolelyOwnedAccounts,
  lockPersonAndAccounts,
} from './person-data-repository'

/** The pseudonym of an erased person in the audit log. Whoever has the secret and an address can verify the pair. */
export const pseudonymOf = (secret: string, email: string): string =>
  `deleted-${createHmac('sha256', secret).update(`erased\n${email.toLowerCase()}`).digest('hex').slice(0, 16)}`

/** Erases a person. Returns false, and changes nothing, if an account would lose its only owner. */
export async function deletePerson(deps: TemporaryKeyDeps & { authSecrets: Secrets }, person: Person): Promise<boolean> {
  const accounts = await erase(deps, person)
  if (!accounts) return false
  const actor = { ...person, email: pseudonymOf(deps.authSecrets[0], person.email), address: null }
  for (const accountId of accounts) await revokeTemporaryKeysOfFormerOwner(deps, { actor, accountId, personId: person.id })
  return true
}

/** Returns the accounts that the person was in. */
const erase = ({ sql, authSecrets }: { sql: Sql; authSecrets: Secrets }, person: Person): Promise<string[] | undefined> =>
  sql.begin(async sql => {
    const accounts = await lockPersonAndAccounts(sql, person.id)
    if ((await listSolelyOwnedAccounts(sql, person.id)).length > 0) return undefined
    for (const accountId of accounts) await insertAuditEntry(sql, person, { accountId, action: 'member.left', subject: person.id })
    await insertAuditEntry(sql, person, { accountId: null, action: 'person.deleted', subject: person.id })
    await revokeInvitationsOf(sql, { actor: person, inviter: person, accountId: null })
    const personId = person.id
    const erased = { personId, addresses: await listAddresses(sql, personId), pseudonym: pseudonymOf(authSecrets[0], person.email) }
    await eraseFromAuditLog(sql, erased)
    await eraseFromInvitations(sql, erased)
    await eraseFromMails(sql, erased)
    await deletePersonRow(sql, personId)
    return accounts
  })
