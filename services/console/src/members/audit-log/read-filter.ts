import type { AuditFilter } from '../../audit-log/list-repository'
import { beginningOf, daysReversed, endOf, wrongDays } from '../../layout/field'

/** What actions are done to: how the names of each begin. */
export const groups: Record<string, { label: string; objects: string[] }> = {
  account: { label: 'Account', objects: ['account', 'starter_credits'] },
  keys: { label: 'API keys', objects: ['key', 'device_login'] },
  members: { label: 'Members', objects: ['member', 'invitation'] },
  budgets: { label: 'Budgets', objects: ['budget'] },
  billing: { label: 'Billing', objects: ['purchase', 'portal', 'low_balance'] },
  webhooks: { label: 'Webhooks', objects: ['webhook'] },
  videos: { label: 'Videos and files', objects: ['video', 'upload'] },
  mails: { label: 'E-mails', objects: ['mails'] },
}

/** The form's values; '' where nothing is chosen. `from`, `to`: days in UTC, the last one inclusive. */
export type LogFields = { person: string; group: string; from: string; to: string }
export type LogFilter = { fields: LogFields; filter: AuditFilter; issue?: string }

const charactersMax = 254

/** Faulty days filter nothing, with what is wrong. */
export function readFilter(query: Record<string, string | undefined>): LogFilter {
  // Postgres texts can't contain a null character.
  const entered = (name: keyof LogFields) => (query[name] ?? '').replaceAll('\0', '').trim().slice(0, charactersMax)
  const [person, chosen, from, to] = [entered('person'), entered('group'), entered('from'), entered('to')]
  const group = Object.hasOwn(groups, chosen) ? groups[chosen] : undefined
  const [first, last] = [beginningOf(from), endOf(to)]
  const wrong = (from !== '' && !first) || (to !== '' && !last)
  const reversed = first !== undefined && last !== undefined && last <= first
  const sound = !wrong && !reversed
  return {
    fields: { person, group: group ? chosen : '', from: sound ? from : '', to: sound ? to : '' },
    filter: {
      email: person === '' ? null : person,
      objects: group?.objects ?? null,
      from: (sound ? first : undefined) ?? null,
      to: (sound ? last : undefined) ?? null,
    },
    ...(!sound && { issue: wrong ? wrongDays : daysReversed }),
  }
}
