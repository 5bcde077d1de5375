import type { Sql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { insertAccount } from '../accounts/account-repository'
import { insertOpening } from '../accounts/opening-repository'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { enforceLimit, type Limit } from '../limits/enforce-limit'
import { countOwnedLocked } from './owned-repository'

export const ownedAccountsMax = 10
/** Limits the accounts that a person opens per day. Deleted accounts count too, because the gateway keeps them. */
const openAccountsLimit: Limit = { name: 'accounts opened by person', max: 10, windowMs: 86_400_000 }

/**
 * Opens an additional account with the person as its owner. Returns undefined if the person already owns the maximum.
 */
export const openAdditionalAccount = ({ sql }: { sql: Sql }, person: Person, name: string): Promise<string | undefined> =>
  sql.begin(async sql => {
    if ((await countOwnedLocked(sql, person.id)) >= ownedAccountsMax) return undefined
    await enforceLimit(sql, openAccountsLimit, person.id)
    const accountId = `acc_${uuidv7().replaceAll('-', '')}`
    await insertAccount(sql, { id: accountId, name, personId: person.id })
    // Only a person's first account can get starter credits.
    await insertOpening(sql, { accountId, personId: person.id, starter: false })
    await insertAuditEntry(sql, person, { accountId, action: 'account.opened', subject: accountId, details: { name } })
    return accountId
  })
