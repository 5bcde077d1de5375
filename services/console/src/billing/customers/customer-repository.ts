import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

type AnySql = Sql | TransactionSql

/** Key of a Stripe customer: an account has one in test mode and one in live mode. */
export type CustomerKey = { accountId: string; livemode: boolean }

export async function findCustomer(sql: AnySql, { accountId, livemode }: CustomerKey): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select customer_id as id from stripe_customer where account_id = ${accountId} and livemode = ${livemode}`
  return row?.id
}

/** Returns the stored customer: the first one, or the replacement of `gone`. */
export async function saveCustomer(sql: AnySql, key: CustomerKey, customerId: string, gone?: string): Promise<string> {
  await sql`
    insert into stripe_customer (account_id, livemode, customer_id) values (${key.accountId}, ${key.livemode}, ${customerId})
    on conflict (account_id, livemode) do update set customer_id = excluded.customer_id where stripe_customer.customer_id = ${gone ?? null}`
  return (await findCustomer(sql, key)) ?? customerId
}
