/** A day, or a time of it; what names no zone is UTC, as the services' own times are, wherever the operator sits. Undefined: no such time. */
export function readTime(text: string): string | undefined {
  const [, day, time = 'T00:00', zone = 'Z'] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  if (day === undefined) return undefined
  // Of a day that its month lacks, JavaScript makes one of the next month.
  if (Number.isNaN(Date.parse(day)) || !new Date(day).toISOString().startsWith(day)) return undefined
  const date = new Date(`${day}${time}${zone}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
