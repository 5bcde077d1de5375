import type { Sql } from '@filmgate/kit/database/postgres'

/** When callback addresses need a code: some days after the first version that makes them was installed. */
export async function findCodeRequiredFrom(sql: Sql): Promise<Date> {
  const [row] = await sql<{ requiredFrom: Date }[]>`select required_from as "requiredFrom" from callback_code`
  return row?.requiredFrom ?? new Date(0)
}
