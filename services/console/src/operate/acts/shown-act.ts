import type { Sql } from '@filmgate/kit/database/postgres'
import type { Notice } from '../../layout/page'
import type { Operator } from '../door/operator-of'
import { type ActRow, findAct } from './act-repository'

/** The act whose result a page shows: the form led there with its number. */
export async function shownAct(sql: Sql, request: Request, { person }: Operator): Promise<ActRow | undefined> {
  const number = new URL(request.url).searchParams.get('act') ?? ''
  return /^\d{1,15}$/.test(number) ? findAct(sql, Number(number), person.id) : undefined
}

export const actPath = (path: string, act: number): string => `${path}?act=${act}`

export function noticeOf(act: ActRow | undefined): Notice | undefined {
  if (!act) return undefined
  const { outcome, answer } = act
  if (outcome === 'done') return { kind: 'done', text: answer ?? '' }
  if (outcome === 'refused') return { kind: 'wrong', text: `${answer} Nothing was changed.` }
  return {
    kind: 'wrong',
    text: `${answer ?? 'No answer has come yet.'} Whether it was done is not known: look at this page again before you repeat it.`,
  }
}
