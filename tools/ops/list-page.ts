import { listOf } from '@filmgate/proto/operator/answer'
import type { TSchema } from '@sinclair/typebox'
import type { Options } from './command'
import { type Call, callFor } from './operator-api'

export type ListOptions = { limit?: number; cursor?: string }

type ListedPage = { data: unknown[]; next_cursor?: string | null }

/** One page of a list of the gateway's, of rows of this form; parameters that aren't given are left out. */
export async function listPage(
  call: Call,
  row: TSchema,
  path: string,
  parameters: Record<string, string | number | undefined>,
): Promise<ListedPage> {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const query = new URLSearchParams(given).toString()
  const { data, next_cursor } = await callFor(call, listOf(row), 'gateway', 'GET', query ? `${path}?${query}` : path)
  return { data, ...(next_cursor !== undefined && { next_cursor }) }
}

/** A page with `next_cursor` where JSON is asked for; for a person the rows, and on standard error how to go on. */
export function shownPage(options: Options, page: ListedPage): unknown {
  if (options.json) return page
  if (page.next_cursor) console.error(`There is more: the same command with --cursor ${page.next_cursor}`)
  return page.data
}
