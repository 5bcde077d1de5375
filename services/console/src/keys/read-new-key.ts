import type { FormFields } from '../http/read-form'
import { readExpiry } from './expiry'
import { type NewKeyFields, type NewKeyIssues, nameLengthMax } from './page'

type ReadResult =
  | { ok: true; name: string; expiresAt: Date | null; fields: NewKeyFields }
  | { ok: false; fields: NewKeyFields; issues: NewKeyIssues }

export function readNewKey(form: FormFields, now: Date): ReadResult {
  const fields = { name: form.get('name'), expires: form.get('expires'), date: form.get('date') }
  const expiry = readExpiry(fields.expires, fields.date, now)
  const issues: NewKeyIssues = {}
  if (fields.name === '') issues.name = 'Enter a name.'
  if (fields.name.length > nameLengthMax) issues.name = `A name can have at most ${nameLengthMax} characters.`
  if ('issue' in expiry) issues[fields.expires === 'date' ? 'date' : 'expires'] = expiry.issue
  if ('issue' in expiry || issues.name) return { ok: false, fields, issues }
  return { ok: true, name: fields.name, expiresAt: expiry.at, fields }
}
