import { type Html, html } from '@filmgate/kit/http/html'
import { rfc3339 } from '@filmgate/kit/rfc3339'

/** A field for a moment in UTC. */
export const utcField = (name: string, label: string, value: string): Html =>
  html`<div><label for="${name}">${label} (UTC)</label><input id="${name}" name="${name}" type="datetime-local" value="${value}"></div>`

/** A browser's field sends 2026-11-21T08:30. What is no moment stays as it is, and the service rejects it. */
export function toTimestamp(text: string): string {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text.length === 16 ? `${text}:00` : text}Z` : text
  return rfc3339(moment)?.toISOString() ?? text
}

/** As the field shows it. */
export const fieldValue = (timestamp: string): string => (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(timestamp) ? timestamp.slice(0, 16) : '')
