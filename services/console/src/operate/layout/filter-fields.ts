import { toTimestamp } from './utc-field'

/** A form's values from the address; '' where a field is not set. */
export function readFields<Name extends string>(url: string, names: readonly Name[]): Record<Name, string> {
  const { searchParams } = new URL(url)
  return Object.fromEntries(names.map(name => [name, (searchParams.get(name) ?? '').trim()])) as Record<Name, string>
}

/** The query of a service: the fields that are set. `moments`: those that the form has as moments in UTC. */
export function setFields<Name extends string>(fields: Record<Name, string>, moments: readonly Name[]): Record<string, string> {
  const set = Object.entries<string>(fields).filter(([, value]) => value !== '')
  return Object.fromEntries(set.map(([name, value]) => [name, (moments as readonly string[]).includes(name) ? toTimestamp(value) : value]))
}
