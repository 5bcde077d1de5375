/** A page of a list, as every list of the API is shown. `rows` may hold one more than `size`: the sign that there is more. */
export function pageOf<R, V>(rows: R[], size: number, view: (row: R) => V, cursorOf: (row: R) => string) {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  const more = rows.length > size
  return { object: 'list' as const, data: shown.map(view), has_more: more, next_cursor: more && last ? cursorOf(last) : null }
}

/** A page of a search that has looked at as many rows as it may: it goes on behind them, however short it is. */
export const searchedPage = <P extends { has_more: boolean; next_cursor: string | null }>(page: P, next_cursor: string): P => ({
  ...page,
  has_more: true,
  next_cursor,
})
