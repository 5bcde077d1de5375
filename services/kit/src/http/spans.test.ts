import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { metricsText } from '../telemetry/metrics'
import { startTracing } from '../telemetry/trace'
import { testLog, until } from '../testing'
import { renderError } from './render-error'
import { countRoutes, spans } from './spans'

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

test('requests count by route and method, at 0 before the first; made-up paths and methods are one series', async () => {
  const app = countRoutes(
    new Elysia()
      .use(spans(testLog))
      .get('/counted/:id', () => 'read')
      .post('/counted/:id', ({ status }) => status(503, 'broken'))
      .all('/*', ({ status }) => status(308, 'elsewhere')),
  )
  const count = async (labels: string) => Number((await metricsText()).split(`http_requests_total{${labels}} `)[1]?.split('\n')[0])
  const posts = async () =>
    Promise.all(['2xx', '3xx', '4xx', '5xx'].map(name => count(`route="/counted/:id",method="POST",class="${name}"`)))
  const unmatched = () => count('route="unmatched",method="other",class="3xx"')
  expect(await posts()).toEqual([0, 0, 0, 0])
  for (const [method, path] of [
    ['POST', '/counted/1'],
    ['POST', '/counted/2'],
    ['PUT', '/counted/3'],
    ['GET', '/made-up/4'],
  ])
    await app.handle(new Request(`http://localhost${path}`, { method }))
  await until('all are counted', async () => (await unmatched()) === 2, 5_000)
  expect(await posts()).toEqual([0, 0, 0, 2])
  const routes = [...(await metricsText()).matchAll(/^http_request\w+\{route="([^"]*)"/gm)].map(([, route]) => route)
  expect([...new Set(routes)].sort()).toEqual(['/counted/:id', 'unmatched'])
})
