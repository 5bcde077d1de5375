import type { Sql } from '@filmgate/kit/database/postgres'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { type ActionRow, findAction } from './action-repository'

/** The action whose result a page shows, by the id in the query. */
export async function findShownAction(sql: Sql, request: Request, { person }: Operator): Promise<ActionRow | undefined> {
  const number = new URL(request.url).searchParams.get('act') ?? ''
  return /^\d{1,15}$/.test(number) ? findAction(sql, Number(number), person.id) : undefined
}

export const actionPath = (path: string, act: number): string => `${path}?act=${act}`

export function actionNotice(act: ActionRow | undefined): Notice | undefined {
  if (!act) return undefined
  const { outcome, answer } = act
  if (outcome === 'done') return { kind: 'done', text: answer ?? '' }
  if (outcome === 'refused') return { kind: 'wrong', text: `${answer} Nothing was changed.` }
  return {
    kind: 'wrong',
    text: `${answer ?? 'There is no response yet.'} The outcome is unknown: reload this page before you repeat the action.`,
  }
}
