import type { Sql } from '@filmgate/kit/database/postgres'

/** What the console's secret encrypts of a person. */
export type SealedSecondFactor = { personId: string; secret: string; backupCodes: string }

export async function findSealed(sql: Sql, personId: string): Promise<SealedSecondFactor | undefined> {
  const [row] = await sql<SealedSecondFactor[]>`
    select person_id as "personId", secret, backup_codes as "backupCodes" from two_factor where person_id = ${personId}`
  return row
}

/** Nothing where it is another one meanwhile. */
export async function replaceSealed(sql: Sql, from: SealedSecondFactor, to: Omit<SealedSecondFactor, 'personId'>): Promise<void> {
  await sql`
    update two_factor set secret = ${to.secret}, backup_codes = ${to.backupCodes}
    where person_id = ${from.personId} and secret = ${from.secret} and backup_codes = ${from.backupCodes}`
}

/** People in the order of their ids, those after the id `after`, each with a second factor if there is one. */
export async function listWithSecondFactor(sql: Sql, after: string, limit: number) {
  const rows = await sql<{ id: string; email: string; secret: string | null; backupCodes: string | null }[]>`
    select person.id, email, secret, backup_codes as "backupCodes" from person left join two_factor on person_id = person.id
    where person.id > ${after} order by person.id limit ${limit}`
  return rows.map(({ id, email, secret, backupCodes }) => ({
    ...{ id, email },
    sealed: secret !== null && backupCodes !== null ? { personId: id, secret, backupCodes } : undefined,
  }))
}
