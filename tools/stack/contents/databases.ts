import postgres from 'postgres'
import type { Addresses } from '../addresses'
import type { DatabaseOwner } from './database-owners'

const databaseName = (owner: DatabaseOwner): string => `filmgate_${owner.replace('-', '_')}`

export function databaseUrl(addresses: Addresses, owner: DatabaseOwner): string {
  const url = new URL(addresses.ownPostgresUrls[owner] ?? addresses.postgresUrl)
  const name = databaseName(owner)
  url.username = name
  url.password = name
  url.pathname = `/${name}`
  return url.href
}

/** Creates missing databases and roles at every start. */
export async function createDatabases(postgresUrl: string, owners: readonly DatabaseOwner[]): Promise<void> {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => undefined })
  try {
    const databases = new Set((await sql<{ datname: string }[]>`select datname from pg_database`).map(row => row.datname))
    const roles = new Set((await sql<{ rolname: string }[]>`select rolname from pg_roles`).map(row => row.rolname))
    for (const owner of owners) {
      const name = databaseName(owner)
      if (!roles.has(name)) await sql.unsafe(`create role ${name} login password '${name}'`)
      if (databases.has(name)) continue
      await sql.unsafe(`create database ${name} owner ${name}`)
      await sql.unsafe(`revoke all on database ${name} from public`)
    }
  } finally {
    await sql.end()
  }
}
