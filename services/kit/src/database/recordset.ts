import type { Fragment, Sql, TransactionSql } from './postgres'

/** The types of the columns that a statement takes of its rows, by their names there. */
type Columns<R> = { readonly [K in keyof R & string]?: string }

/**
 * Rows as one parameter of a statement, to select from under `name`; what a row lacks is null. An array a column would cost the server a
 * function scan each: twice its time for one row, a half more for 16 rows, as much for 100 (docs/decisions/0104). With a limit, which says
 * nothing new, the planner expects few rows and looks them up by key: it knows nothing of what JSON holds and would take it for a hundred.
 */
export function recordset<R extends object>(sql: Sql | TransactionSql, name: string, columns: Columns<R>, rows: readonly R[]): Fragment {
  const names = Object.keys(columns) as (keyof R & string)[]
  const definition = names.map(column => `"${column}" ${columns[column]}`).join(', ')
  return sql`(
    select * from json_to_recordset(${textOf(names, rows)}::text::json) as ${sql.unsafe(`${name} (${definition})`)} limit ${rows.length}
  ) as ${sql.unsafe(name)}`
}

/** Half of a surrogate pair, which no text of Postgres can hold. */
const half = /\\ud[89a-f]/

function textOf<R extends object>(names: (keyof R & string)[], rows: readonly R[]): string {
  const records = rows.map(row => {
    const record: Partial<R> = {}
    for (const name of names) record[name] = row[name]
    return record
  })
  const text = JSON.stringify(records)
  return half.test(text) ? JSON.stringify(records, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)) : text
}
