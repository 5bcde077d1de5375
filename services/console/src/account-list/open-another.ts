import type { Sql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { insertAccount } from '../accounts/account-repository'
import { insertOpening } from '../accounts/opening-repository'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { type Limit, takeTry } from '../limits/take-try'
import { countOwnedLocked } from './owned-repository'

export const ownedMax = 10
/** Whoever deletes what they open has the gateway keep as many accounts all the same. */
const openingsLimit: Limit = { name: 'accounts opened by person', max: 10, windowMs: 86_400_000 }

/** Opens another account, of which the person is the owner; undefined where they own as many as one may. */
export const openAnother = ({ sql }: { sql: Sql }, person: Person, name: string): Promise<string | undefined> =>
  sql.begin(async sql => {
    if ((await countOwnedLocked(sql, person.id)) >= ownedMax) return undefined
    await takeTry(sql, openingsLimit, person.id)
    const accountId = `acc_${uuidv7().replaceAll('-', '')}`
    await insertAccount(sql, { id: accountId, name, personId: person.id })
    // A person has starter credits in their first account, or not at all.
    await insertOpening(sql, { accountId, personId: person.id, starter: false })
    await insertAct(sql, person, { accountId, act: 'account.opened', subject: accountId, details: { name } })
    return accountId
  })
