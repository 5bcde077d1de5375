import { type Fragment, type Sql, sessionSettings } from './postgres'

/**
 * Keeps our settings with the role, for this database: so every connection that a pooler opens has them. Only what differs is written, so a
 * role that may not alter the other needs no right to where an administrator did it before.
 */
export async function keepSettings(sql: Sql, role: string): Promise<void> {
  const [found] = await sql<{ database: string; kept: string[] | null }[]>`
    select current_database() as database, (
      select setconfig from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = ${role})
        and setdatabase = (select oid from pg_database where datname = current_database())
    ) as kept`
  for (const [name, value] of Object.entries(sessionSettings())) {
    if (found?.kept?.includes(`${name}=${value}`)) continue
    const literal = sql.unsafe(`'${value}'`) as unknown as Fragment
    await sql`alter role ${sql(role)} in database ${sql(found?.database ?? '')} set ${sql(name)} to ${literal}`
  }
}

/** Which of our settings a connection lacks, as it does behind a pooler that drops them. */
export async function missingSettings(sql: Sql): Promise<string[]> {
  const names = Object.keys(sessionSettings())
  const rows = await sql<{ name: string; setting: string }[]>`select name, setting from pg_settings where name = any(${names}::text[])`
  const wanted = new Map(Object.entries(sessionSettings()).map(([name, value]) => [name, String(value)]))
  // A timeout may be another than ours. None at all is what lets one statement hold everything.
  return rows
    .filter(({ name, setting }) => (name.endsWith('_timeout') ? setting === '0' : setting !== wanted.get(name)))
    .map(({ name }) => name)
}
