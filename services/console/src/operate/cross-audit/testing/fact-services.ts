import type { Services } from '../../services/services'

type Fact = Record<string, string | number | boolean | null>
/** By service and path, such as `gateway/tasks`. */
export type Facts = Record<string, Fact[]>

/** Services that list these facts by their range of ids, as the real ones do. A list that isn't there is not answered. */
export function factServices(facts: Facts): Services & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async ask(_, service, { path }) {
      const { pathname, searchParams: query } = new URL(`http://service${path}`)
      asked.push(`${service}${path}`)
      const rows = facts[`${service}${pathname.replace('/facts', '')}`]
      if (!rows) return { ok: false, service, status: undefined, code: '', message: 'no answer' }
      const [one, after, through] = ['id', 'after', 'through'].map(name => query.get(name))
      const data = rows
        .map(row => ({ id: String(row.id ?? row.task_id ?? row.account_id), row }))
        .filter(({ id }) => (!one || id === one) && (!after || id > after) && (!through || id <= through))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, Number(query.get('limit')))
        .map(({ row }) => row)
      return { ok: true, status: 200, value: { data } as never }
    },
    readiness: async service => ({ service, state: 'ready', missing: [] }),
  }
}
