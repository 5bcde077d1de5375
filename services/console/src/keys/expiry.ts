/** The expiry options of the form: value, label, days. `date` is a custom date. */
export const expiries = [
  { value: 'never', label: 'Never', days: undefined },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
  { value: 'date', label: 'On a date…', days: undefined },
] as const

const dayMs = 86_400_000
const daysMax = 3_650
const dateForm = /^\d{4}-\d{2}-\d{2}$/

/** Returns when a new key expires, null for never. A date counts until its end in UTC. `issue` says what to correct. */
export function readExpiry(choice: string, date: string, now: Date): { at: Date | null } | { issue: string } {
  const found = expiries.find(({ value }) => value === choice)
  if (!found) return { issue: 'Choose when the key expires.' }
  if (found.days !== undefined) return { at: new Date(now.getTime() + found.days * dayMs) }
  if (found.value === 'never') return { at: null }
  const at = new Date(`${date}T23:59:59Z`)
  if (!dateForm.test(date) || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(date))
    return { issue: 'Choose a date, such as 2027-01-31.' }
  if (at <= now) return { issue: 'The date must be in the future.' }
  if (at.getTime() - now.getTime() > daysMax * dayMs) return { issue: 'The date must be within ten years.' }
  return { at }
}
