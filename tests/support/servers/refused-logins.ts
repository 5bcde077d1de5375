import postgres from 'postgres'
import { settings } from '../settings'

export type Owner = 'gateway' | 'ledger' | 'dispatcher'

/** Changes the password of a service's role under it, ends its sessions and keeps ending them while `work` runs; then sets it right again. */
export async function withRefusedLogins<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  const accept = await refuseLogins(owner)
  try {
    return await work()
  } finally {
    await accept()
  }
}

/** The same until what it returns is called. */
export async function refuseLogins(owner: Owner | 'console'): Promise<() => Promise<void>> {
  const role = `filmgate_${owner}`
  const sql = postgres(settings.postgresUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(`alter role ${role} password 'rotated'`)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`
  return async () => {
    await sql.unsafe(`alter role ${role} password '${role}'`)
    await sql.end()
  }
}
