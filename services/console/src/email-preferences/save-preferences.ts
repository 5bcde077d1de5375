import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { AccountView, Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import { type EmailPreferences, upsertPreferences } from './preference-repository'

/**
 * Saves a person's e-mail preferences for an account. Checks whether the balance is below the threshold now, so that
 * only a later fall is mailed.
 */
export async function savePreferences(
  { sql, gateway }: { sql: Sql; gateway: Gateway },
  { person, accountId, preferences }: { person: Person; accountId: string; preferences: EmailPreferences },
): Promise<void> {
  const { taskEnded, lowBalanceCredits, warnings } = preferences
  let isLow: boolean | null = null
  if (lowBalanceCredits !== null) {
    const answer = await gateway.request<AccountView>(person, { path: `/accounts/${accountId}` })
    if (answer.ok) isLow = answer.value.available_credits < lowBalanceCredits
  }
  await sql.begin(async sql => {
    await upsertPreferences(sql, { accountId, personId: person.id, ...preferences, isLow })
    const details = { task_ended: taskEnded, low_balance: lowBalanceCredits, warnings }
    await insertAuditEntry(sql, person, { accountId, action: 'mails.chosen', details })
  })
}
