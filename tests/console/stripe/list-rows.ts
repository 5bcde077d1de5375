export type Row = Record<string, unknown> & { id: string }
type Find = (id: string) => Row | undefined

const limitDefault = 10
const limitMax = 100
const filters = ['payment_intent', 'customer', 'charge'] as const

/**
 * Rows as Stripe lists them: newest first, of the filters, a page of `limit` behind `starting_after`, with what is to
 * be expanded (https://docs.stripe.com/api/pagination, https://docs.stripe.com/api/expanding_objects). What it would
 * refuse is text.
 */
export function listRows(path: string, rows: Row[], fields: URLSearchParams, find: Find): object | string {
  const limit = Number(fields.get('limit') ?? limitDefault)
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) return 'limit must be from 1 to 100'
  const wanted = rows.filter(row => filters.every(name => !fields.has(name) || row[name] === fields.get(name)) && isCreated(row, fields))
  // Of one second the later ones first, as they were made.
  const sorted = wanted.toReversed().toSorted((a, b) => Number(b.created) - Number(a.created))
  const after = fields.get('starting_after')
  const from = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0 && !rows.some(({ id }) => id === after)) return `No such object: '${after}'`
  const data = sorted.slice(from, from + limit).map(row => expanded(row, pathsOf(fields, 'data.'), find))
  return { object: 'list', url: path, has_more: from + limit < sorted.length, data }
}

/** One row, with what is to be expanded. */
export const readRow = (row: Row, fields: URLSearchParams, find: Find): Row => expanded(row, pathsOf(fields, ''), find)

function isCreated({ created }: Row, fields: URLSearchParams): boolean {
  const bound = (name: string) => (fields.has(`created[${name}]`) ? Number(fields.get(`created[${name}]`)) : undefined)
  const [at, gte, gt, lt, lte] = [Number(created), bound('gte'), bound('gt'), bound('lt'), bound('lte')]
  return !(
    (gte !== undefined && at < gte) ||
    (gt !== undefined && at <= gt) ||
    (lt !== undefined && at >= lt) ||
    (lte !== undefined && at > lte)
  )
}

const pathsOf = (fields: URLSearchParams, prefix: string): string[][] =>
  [...fields]
    .filter(([name, path]) => /^expand\[\d*\]$/.test(name) && path.startsWith(prefix))
    .map(([, path]) => path.slice(prefix.length).split('.'))

function expanded(row: Row, paths: string[][], find: Find): Row {
  const copy = { ...row }
  for (const [name = '', ...rest] of paths) {
    const value = copy[name]
    const inner = typeof value === 'string' ? find(value) : (value as Row | undefined)
    if (inner) copy[name] = rest.length > 0 ? expanded(inner, [rest], find) : inner
  }
  return copy
}
