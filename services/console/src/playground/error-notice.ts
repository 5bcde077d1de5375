import { html } from '@filmgate/kit/http/html'
import { creditsLink, type SaleDeps } from '../billing/credits-link'
import type { GatewayError } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { errorText } from './error-text'

/** The notice above the form for an error that belongs to no field. */
export function errorNotice(deps: SaleDeps, error: GatewayError, accountId: string): Notice {
  const taskId = error.details?.task_id
  const taskPath = typeof taskId === 'string' ? `${accountPath(accountId, 'tasks')}/${encodeURIComponent(taskId)}` : undefined
  return {
    kind: 'wrong',
    text: html`${errorText(error)}${taskPath !== undefined && html` <a href="${taskPath}">See the task</a>`}${error.code === 'insufficient_credits' && html` ${creditsLink(deps, accountId)}`}`,
  }
}

/** The notice as markup, for a script. */
export const noticeText = ({ text }: Notice): string => (typeof text === 'string' ? text : text.text)
