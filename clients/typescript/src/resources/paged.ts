import type { Connection } from '../http/connection.ts'
import { type CallOptions, limitOf } from '../http/limit.ts'
import { send } from '../http/send.ts'

export type Page<T> = { object: 'list'; data: T[]; next_cursor: string | null }

/** The rows of a list over all its pages: `for await (const row of list)`. */
export type Paged<T> = AsyncIterable<T> & {
  /** One page, the first or that of `cursor`; its `next_cursor` leads to the next. */
  page(): Promise<Page<T>>
}

export const callMs = 120_000

export function paged<T>(
  connection: Connection,
  path: string,
  { signal, timeoutMs, ...query }: CallOptions & { cursor?: string | undefined },
): Paged<T> {
  const read = async (cursor: string | undefined) =>
    (await send<Page<T>>(connection, { path, query: { ...query, cursor } }, limitOf({ signal, timeoutMs }, callMs))).body
  return {
    page: () => read(query.cursor),
    async *[Symbol.asyncIterator]() {
      for (let cursor = query.cursor; ; ) {
        const { data, next_cursor } = await read(cursor)
        yield* data
        if (!next_cursor) return
        cursor = next_cursor
      }
    },
  }
}
