import type { Sql } from '@filmgate/kit/database/postgres'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { type ActionRow, findAction } from './action-repository'

/** The action whose result a page shows, by the id in the query. */
export async function findShownAction(sql: Sql, request: Request, { person }: Operator): Promise<ActionRow | undefined> {
  const number = new URL(request.url).searchParams.get('act') ?? ''
  return /^\d{1,15}$/.test(number) ? findAction(sql, Number(number), person.id) : undefined
}

export const actionPath = (path: string, id: number): string => `${path}?act=${id}`

export function actionNotice(action: ActionRow | undefined): Notice | undefined {
  if (!action) return undefined
  const { outcome, answer } = action
  if (outcome === 'done') return { kind: 'done', text: answer ?? '' }
  if (outcome === 'refused') return { kind: 'wrong', text: `${answer} Nothing was changed.` }
  return {
    kind: 'wrong',
    text: `${answer ?? 'There is no response yet.'} The outcome is unknown: reload this page before you repeat the action.`,
  }
}
