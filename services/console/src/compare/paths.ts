import { accountPath } from '../layout/menu'

export const comparePath = (accountId: string): string => `${accountPath(accountId, 'playground')}/compare`

/** The page that compares these models. */
export const comparisonPath = (accountId: string, modelIds: string[], modeName: string): string =>
  `${comparePath(accountId)}?${queryOf(modelIds)}&mode=${encodeURIComponent(modeName)}`

/** The list of models, with these chosen. */
export const choicePath = (accountId: string, modelIds: string[]): string => `${accountPath(accountId, 'models')}?${queryOf(modelIds)}`

function queryOf(modelIds: string[]): string {
  const query = new URLSearchParams()
  for (const id of modelIds) query.append('model', id)
  return query.toString()
}
