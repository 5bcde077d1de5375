import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { AccountView, Gateway } from '../gateway/gateway'
import { type MailChoice, saveChoice } from './choice-repository'

/** Keeps which mails a person wants of an account. Whether the balance is below the bound already is asked now, so that only a later fall is told. */
export async function chooseMails(
  { sql, gateway }: { sql: Sql; gateway: Gateway },
  { person, accountId, choice }: { person: Person; accountId: string; choice: MailChoice },
): Promise<void> {
  const { taskEnded, lowBalanceCredits } = choice
  let isLow: boolean | null = null
  if (lowBalanceCredits !== null) {
    const answer = await gateway.ask<AccountView>(person, { path: `/accounts/${accountId}` })
    if (answer.ok) isLow = answer.value.available_credits < lowBalanceCredits
  }
  await sql.begin(async sql => {
    await saveChoice(sql, { accountId, personId: person.id, ...choice, isLow })
    const details = { task_ended: taskEnded, low_balance: lowBalanceCredits }
    await insertAct(sql, person, { accountId, act: 'mails.chosen', details })
  })
}
