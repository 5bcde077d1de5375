import { expect, test } from 'bun:test'
import type { AddressInfo } from 'node:net'
import { serve } from '@filmgate/kit/http/serve'
import { testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { jsonLines } from '../settings/json-lines'
import { answerDownload } from './answer-download'

async function* linesOf(count: number) {
  for (let line = 0; line < count; line++) yield { line }
}

test('a file is read over the wire whether it is short or long, with its name and the headers of every answer', async () => {
  const app = new Elysia()
    .onRequest(({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .get('/file/:lines', async ({ params, set }) =>
      answerDownload(set, { parts: jsonLines(linesOf(Number(params.lines))), type: 'application/jsonl', fileName: 'all.jsonl' }),
    )
  const server = await serve({ handle: request => app.handle(request), port: 0, log: testLog, idleMs: 1_000 })
  try {
    for (const lines of [0, 1, 10, 10_000]) {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file/${lines}`)
      expect((await answer.text()).split('\n').length - 1).toBe(lines)
      expect(['content-type', 'content-disposition', 'cache-control'].map(name => answer.headers.get(name))).toEqual([
        'application/jsonl; charset=utf-8',
        'attachment; filename="all.jsonl"',
        'no-store',
      ])
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
