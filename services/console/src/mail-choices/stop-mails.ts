import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import { findPersonById } from '../people/person-repository'
import { stopLowBalance, stopTaskEnded } from './choice-repository'
import type { MailKind, Stop } from './stop-link'

const stopKind: Record<MailKind, typeof stopTaskEnded> = { 'task-ended': stopTaskEnded, 'low-balance': stopLowBalance }

/** Ends mails of one kind; a second time, or after the person has left the account, there is nothing to do. */
export async function stopMails({ sql }: { sql: Sql }, { address, ...stop }: Stop & { address: string }): Promise<void> {
  const person = await findPersonById(sql, stop.personId)
  if (!person) return
  await sql.begin(async sql => {
    if (!(await stopKind[stop.kind](sql, stop))) return
    const { accountId, kind: subject } = stop
    await insertAct(sql, { ...person, address }, { accountId, act: 'mails.stopped', subject })
  })
}
