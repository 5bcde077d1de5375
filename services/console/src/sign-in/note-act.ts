import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import { changedMail } from '../auth/mails'
import { queueMail } from '../mail/queue-mail'

type Who = { id: string; email: string; name: string; address: string | null }

/** Keeps that a person signed in or out. */
export const noteSignIn = (sql: Sql, who: Omit<Who, 'name'>, act: string, by: string) =>
  insertAct(sql, who, { accountId: null, act, details: { by } })

/** Keeps a change of what signs a person in, and mails them of it. */
export const noteChange = (
  { sql, consoleUrl }: { sql: Sql; consoleUrl: string },
  who: Who,
  { act, words, subject, details, to }: { act: string; words: string; subject?: string; details?: Record<string, string>; to?: string },
) =>
  sql.begin(async sql => {
    await insertAct(sql, who, { accountId: null, act, subject, details })
    await queueMail(sql, changedMail({ email: to ?? who.email, name: who.name }, words, consoleUrl, who.address))
  })
