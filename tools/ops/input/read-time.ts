import { rfc3339 } from '@filmgate/kit/rfc3339'

const form = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/

/** A day, or a time of it; what names no zone is UTC, as the services' own times are, wherever the operator sits. Undefined: no such time. */
export function readTime(text: string): string | undefined {
  const [, day, minute = 'T00:00', second = ':00', zone = 'Z'] = form.exec(text) ?? []
  return day === undefined ? undefined : rfc3339(`${day}${minute}${second}${zone}`)?.toISOString()
}
