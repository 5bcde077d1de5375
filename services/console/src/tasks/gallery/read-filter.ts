import { beginningOf, daysReversed, endOf, wrongDays } from '../../layout/field'
import { readTag } from '../tags'
import { statusLabels, surfaceLabels } from '../task-text'

/** `text`: words of the prompt, or a task's id. `from`, `to`: days in UTC, the last one inclusive. */
export type Filter = {
  status?: string
  surface?: string
  text?: string
  model?: string
  key?: string
  tag?: string
  from?: string
  to?: string
  cursor?: string
}
/** `issues`: what is wrong with what was entered; it filters nothing. */
export type EnteredFilter = { filter: Filter; issues: { tag?: string; days?: string } }

export const searchCharactersMax = 200
const nameCharactersMax = 64
const cursorCharactersMax = 500

/** Unknown filters are ignored. */
export function readFilter(query: URLSearchParams): EnteredFilter {
  // The gateway takes no null character.
  const entered = (name: string, charactersMax: number) => (query.get(name) ?? '').replaceAll('\0', '').slice(0, charactersMax).trim()
  const [status, surface] = [entered('status', nameCharactersMax), entered('surface', nameCharactersMax)]
  const [model, key, text] = [entered('model', nameCharactersMax), entered('key', nameCharactersMax), entered('text', searchCharactersMax)]
  const cursor = query.get('cursor') ?? ''
  const { tag, issue } = readTag(query.get('tag') ?? '')
  const { days, issue: wrong } = readDays(entered('from', nameCharactersMax), entered('to', nameCharactersMax))
  const filter = {
    ...(Object.hasOwn(statusLabels, status) && { status }),
    ...(Object.hasOwn(surfaceLabels, surface) && { surface }),
    ...(text !== '' && { text }),
    ...(model !== '' && { model }),
    ...(key !== '' && { key }),
    ...(tag !== undefined && { tag }),
    ...days,
    ...(cursor && cursor.length <= cursorCharactersMax && { cursor }),
  }
  return { filter, issues: { ...(issue !== undefined && { tag: issue }), ...(wrong !== undefined && { days: wrong }) } }
}

function readDays(from: string, to: string): { days?: Pick<Filter, 'from' | 'to'>; issue?: string } {
  const [first, last] = [beginningOf(from), endOf(to)]
  if ((from !== '' && !first) || (to !== '' && !last)) return { issue: wrongDays }
  if (first && last && last <= first) return { issue: daysReversed }
  return { days: { ...(first && { from }), ...(last && { to }) } }
}

/** The query for the gateway. */
export function queryOf({ key, from, to, ...same }: Filter, limit: number): URLSearchParams {
  const [first, last] = [beginningOf(from ?? ''), endOf(to ?? '')]
  return new URLSearchParams({
    ...same,
    ...(key !== undefined && { key_id: key }),
    ...(first && { from: first.toISOString() }),
    ...(last && { to: last.toISOString() }),
    limit: String(limit),
  })
}
