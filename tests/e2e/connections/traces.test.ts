import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { ownWords } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { type PooledServices, startPooledServices } from '../../support/servers/pooled-services'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

const hookTimeoutMs = 400_000
const testTimeoutMs = 180_000
const poolSize = 4

type Span = { service: string; name: string; traceId: string; spanId: string; parentSpanId?: string }
type Attribute = { key: string; value: { stringValue?: string } }
type Exported = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Omit<Span, 'service'>[] }[] }[]
}

/** A collector that keeps what all services send it by OTLP/HTTP. */
const exported: Span[] = []
const collector = Bun.serve({
  port: 0,
  async fetch(request) {
    const { resourceSpans } = (await request.json()) as Exported
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
      exported.push(...scopeSpans.flatMap(({ spans }) => spans.map(span => ({ service, ...span }))))
    }
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  },
})

/** A pipeline of its own: the stack's services export nothing. */
let services: PooledServices
beforeAll(async () => {
  const endpoint = `http://127.0.0.1:${collector.port}`
  services = await startPooledServices(poolSize, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, FILMGATE_TRACE_SAMPLE_RATIO: '1' })
}, hookTimeoutMs)
afterAll(async () => {
  await services?.stop()
  await collector.stop(true)
}, hookTimeoutMs)

/** The sampled request of an image-to-video, posted once its account has credits. */
async function generate(): Promise<{ traceId: string; ended: () => Promise<unknown> }> {
  const base = services.url('gateway')
  const opened = await fetch(`${base}/operator/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.operatorToken}`, 'content-type': 'application/json', 'x-filmgate-operator': 'ada' },
    body: JSON.stringify({ name: 'traced', credits: 1_000 }),
  })
  const { api_key } = (await opened.json()) as { api_key: string }
  const api = createApi(api_key, `${base}/api/v1`)
  await until('the credits of a new account', async () => (await api.credits()) === 1_000)
  const posted = await api.generate({
    model: 'alpha-h3',
    mode: 'image-to-video',
    prompt: ownWords(),
    image_url: sampleMedia('lake-640x480.jpg'),
    duration: 4,
  })
  expect([posted.status, posted.text]).toEqual([202, expect.stringContaining('processing')])
  const ended = () => api.taskOnce(posted.body.id)
  return { traceId: posted.headers.get('x-request-id') ?? '', ended }
}

test(
  'one trace has the POST, each service that handled its events, and the settlement, each step a child of the one before',
  async () => {
    const { traceId, ended } = await generate()
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(await ended()).toMatchObject({ status: 'completed' })

    const ours = () => exported.filter(span => span.traceId === traceId)
    const nameOf = ({ service, name }: Span) => `${service}: ${name.replace(/ [\w-]+\.(\w+)\.v1$/, ' $1')}`
    const steps = [
      'gateway: POST /api/v1/video/generations',
      'ledger: process requests',
      'media-probe: process credits',
      'dispatcher: process media',
      'ledger: process generations',
      'gateway: process credits',
    ]
    const missing = () => steps.filter(step => !ours().some(span => nameOf(span) === step))
    await until('all spans', async () => missing().length === 0, 30_000).catch(() => expect(missing()).toEqual([]))

    const firstOf = (span: Span): Span => {
      const parent = ours().find(({ spanId }) => spanId === span.parentSpanId)
      return parent ? firstOf(parent) : span
    }
    const root = ours().find(span => nameOf(span) === steps[0])
    // A span is exported once it ends: after its children.
    const apart = () =>
      ours()
        .filter(span => firstOf(span) !== root)
        .map(nameOf)
    await until('all spans in between', async () => apart().length === 0, 30_000).catch(() => expect(apart()).toEqual([]))
  },
  testTimeoutMs,
)
