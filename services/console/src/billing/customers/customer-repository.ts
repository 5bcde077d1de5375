import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

type AnySql = Sql | TransactionSql

/** Whose customer: an account has one in Stripe's test mode and another in the live one. */
export type Owned = { accountId: string; livemode: boolean }

export async function findCustomer(sql: AnySql, { accountId, livemode }: Owned): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select customer_id as id from stripe_customer where account_id = ${accountId} and livemode = ${livemode}`
  return row?.id
}

/** Answers the one that is kept: the first, or the one that takes the place of `gone`. */
export async function keepCustomer(sql: AnySql, owned: Owned, customerId: string, gone?: string): Promise<string> {
  await sql`
    insert into stripe_customer (account_id, livemode, customer_id) values (${owned.accountId}, ${owned.livemode}, ${customerId})
    on conflict (account_id, livemode) do update set customer_id = excluded.customer_id where stripe_customer.customer_id = ${gone ?? null}`
  return (await findCustomer(sql, owned)) ?? customerId
}
