/** Not a host of any network: what names it is read from the bucket of uploads, never fetched (docs/decisions/0714). */
export const uploadsHost = 'uploads.filmgate.internal'
const form = /^https:\/\/uploads\.filmgate\.internal\/(([A-Za-z0-9_-]{1,64})\/[A-Za-z0-9_-]{22}\.[a-z0-9]{1,5})$/

/** What a request names an upload by. `key`: where it lies in the bucket. */
export const uploadUrlOf = (key: string): string => `https://${uploadsHost}/${key}`

/** Whether a URL is meant to be an upload, well formed or not. */
export const namesUpload = (url: string): boolean => URL.parse(url)?.hostname === uploadsHost

/** The key and the account of a URL that `uploadUrlOf` has made. */
export function uploadAt(url: string): { key: string; accountId: string } | undefined {
  const [, key, accountId] = form.exec(url) ?? []
  return key && accountId ? { key, accountId } : undefined
}
