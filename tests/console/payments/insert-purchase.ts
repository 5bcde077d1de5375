import { uuidv7 } from 'uuidv7'
import { run } from '../../support/servers/databases'

/** A purchase of a pack of 1,000 credits for 10 USD, begun and not yet paid; its id. */
export async function insertPurchase(accountId: string): Promise<string> {
  const id = uuidv7()
  await run(
    'console',
    `insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode)
     values ($1, $2, 'test', 'small', 1, 'Small', 1000, 1000, 'usd', false)`,
    [id, accountId],
  )
  return id
}
