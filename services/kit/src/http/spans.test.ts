import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { startTracing } from '../telemetry/trace'
import { testLog } from '../testing'
import { renderError } from './render-error'
import { spans } from './spans'

test('every answer names its trace: of a route, a refusal, an unknown path, and the caller’s own where it sent one', async () => {
  const tracing = startTracing({ service: 'test', endpoint: undefined, sampleRatio: 0 })
  const reasons = { not_found: [404, 'no'], invalid_json: [400, 'no'], internal_error: [500, 'no'] } as const
  const app = new Elysia()
    .use(spans(testLog))
    .use(renderError(testLog, reasons))
    .get('/', () => new Response('whole'))
    .get('/broken', () => {
      throw new Error('broken')
    })
  const idOf = async (path: string, headers?: Record<string, string>) =>
    (await app.handle(new Request(`http://localhost${path}`, { headers }))).headers.get('x-request-id')
  const ids = [await idOf('/'), await idOf('/'), await idOf('/broken'), await idOf('/nowhere')]
  for (const id of ids) expect(id).toMatch(/^(?!0+$)[0-9a-f]{32}$/)
  expect(new Set(ids).size).toBe(ids.length)
  const trace = 'ab'.repeat(16)
  expect(await idOf('/', { traceparent: `00-${trace}-${'cd'.repeat(8)}-01` })).toBe(trace)
  await tracing.stop()
})
