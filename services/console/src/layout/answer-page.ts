/** Elysia's `set`. */
export type Settable = { status?: number | string; headers: Record<string, string | number> }

export function answerPage(set: Settable, text: string, status = 200): string {
  set.status = status
  set.headers['content-type'] = 'text/html; charset=utf-8'
  return text
}

/** Redirects after a form, so that Reload doesn't submit it again. */
export function seeOther(set: Settable, path: string): string {
  set.status = 303
  set.headers.location = path
  return ''
}
