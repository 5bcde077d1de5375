const form = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** The moment that a text of RFC 3339 names, whole and with its zone; undefined for any other text, and for a day that no month has. */
export function rfc3339(text: string): Date | undefined {
  const day = form.exec(text)?.[1]
  if (day === undefined) return undefined
  const at = new Date(text)
  // Some engines take 30 February for 2 March.
  const dayExists = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || Number.isNaN(dayExists.getTime()) || !dayExists.toISOString().startsWith(day) ? undefined : at
}
