import { uuidv7 } from 'uuidv7'
import { insertAccount } from '../../accounts/account-repository'
import { insertOpening } from '../../accounts/opening-repository'
import { findPersonByEmail, insertVerifiedPerson } from '../../people/person-repository'
import type { SignInDeps } from '../deps'

export type SignInLinkInput = { email: string; name: string; account_id: string; account_name: string }

/**
 * Ensures the developer of a local stack as owner of the account that the stack has opened. Requests starter credits as
 * for everybody.
 */
export async function ensureLocalPerson({ sql }: Pick<SignInDeps, 'sql'>, input: SignInLinkInput): Promise<void> {
  const { email, name, account_id: accountId, account_name: accountName } = input
  const known = await findPersonByEmail(sql, email)
  await sql.begin(async sql => {
    const personId = known?.id ?? uuidv7()
    if (!known) await insertVerifiedPerson(sql, { id: personId, name, email })
    const opened = await insertAccount(sql, { id: accountId, name: accountName, personId })
    if (opened.count > 0) await insertOpening(sql, { accountId, personId, starter: true })
  })
}
