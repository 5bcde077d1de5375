/** A row of the operator API as the database has it: what ends in `_at` is a date. */
export type DatedRow<T> = { [K in keyof T]: K extends `${string}_at` ? Date | Extract<T[K], null> : T[K] }

/** Rows with their dates in ISO 8601. */
export const isoRows = <T>(rows: readonly DatedRow<T>[]): T[] =>
  rows.map(
    row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])) as T,
  )
