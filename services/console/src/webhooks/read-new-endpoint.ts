import type { FormFields } from '../http/read-form'
import { descriptionLengthMax, type NewEndpointFields, type NewEndpointIssues, urlLengthMax, webhookEvents } from './page'

type ReadResult = { ok: true; fields: NewEndpointFields } | { ok: false; fields: NewEndpointFields; issues: NewEndpointIssues }

/** Whether the address is public is for the service to judge. */
export function readNewEndpoint(form: FormFields): ReadResult {
  const chosen = form.all('events')
  const events = webhookEvents.filter(event => chosen.includes(event))
  const fields = { url: form.get('url'), description: form.get('description'), events }
  const issues: NewEndpointIssues = {}
  if (!fields.url.startsWith('https://') || !URL.canParse(fields.url)) issues.url = 'Enter an address that starts with https://.'
  if (fields.url.length > urlLengthMax) issues.url = `An address can have at most ${urlLengthMax} characters.`
  if (fields.description.length > descriptionLengthMax || /\p{Cc}/u.test(fields.description))
    issues.description = `A description can have at most ${descriptionLengthMax} characters in one line.`
  if (events.length === 0) issues.events = 'Choose at least one event.'
  return Object.keys(issues).length === 0 ? { ok: true, fields } : { ok: false, fields, issues }
}
