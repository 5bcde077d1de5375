import postgres from 'postgres'
import type { Addresses } from '../addresses'

/** Services with a database. Each has a login role that can open no other database. */
export const databaseOwners = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'console', 'webhooks'] as const
export type DatabaseOwner = (typeof databaseOwners)[number]

const databaseName = (owner: DatabaseOwner): string => `filmgate_${owner.replace('-', '_')}`

export function databaseUrl({ postgresUrl }: Addresses, owner: DatabaseOwner): string {
  const url = new URL(postgresUrl)
  const name = databaseName(owner)
  url.username = name
  url.password = name
  url.pathname = `/${name}`
  return url.href
}

/** Creates missing databases and roles at every start. */
export async function createDatabases({ postgresUrl }: Addresses): Promise<void> {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => undefined })
  try {
    const databases = new Set((await sql<{ datname: string }[]>`select datname from pg_database`).map(row => row.datname))
    const roles = new Set((await sql<{ rolname: string }[]>`select rolname from pg_roles`).map(row => row.rolname))
    for (const owner of databaseOwners) {
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
