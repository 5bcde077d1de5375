import { afterAll } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Connector, HandedMedia, Submission } from '../providers/connector'
import { connectGoogle } from '../providers/google/connect-google'

export type ProviderRequest = { method: string; path: string; key: string | null; revision: string | null; body: unknown }
export type Answers = Record<string, Response>

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

export const bounds = { submitTimeoutMs: 10_000, readTimeoutMs: 10_000, uploadTimeoutMs: 10_000 }

/** Google, answering each path as told, and everything else with 404. */
export function answering(answers: Answers): { provider: Connector; asked: ProviderRequest[]; base: string } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const [key, revision] = ['x-goog-api-key', 'api-revision'].map(name => request.headers.get(name))
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: `${pathname}${search}`, key: key ?? null, revision: revision ?? null, body })
      const answer = answers[pathname.replace('/v1beta/', '')]?.clone() as Response | undefined
      return answer ?? json(404, fault(404, 'NOT_FOUND'))
    },
  })
  servers.push(server)
  const base = `http://127.0.0.1:${server.port}/v1beta`
  return { provider: connectGoogle({ url: base, key: 'the-key', ...bounds }), asked, base }
}

/** Google, answering the same to everything. */
export const answeringAll = (answer: Response) => answering(new Proxy({}, { get: () => answer }))

export const { signal } = new AbortController()
export const json = (status: number, body: unknown) => Response.json(body, { status })
export const fault = (code: number | string, status?: string, more: object = {}) => ({
  error: { code, message: 'words', ...(status && { status }), ...more },
})
export const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
export const picture = (field: string, index = 0): HandedMedia => ({
  ...{ kind: MediaKind.IMAGE, field, index, url: `data:image/png;base64,${field}${index}` },
})

export const veo: Submission = {
  attemptId,
  providerModel: 'veo-3.1-fast-generate-preview',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 8, resolution: '1080p', aspectRatio: '16:9' }),
  mapping: {
    fields: {
      ...{ prompt: 'prompt', duration: 'durationSeconds', resolution: 'resolution', aspect_ratio: 'aspectRatio' },
      ...{ watermark: { values: { false: null } }, image_url: 'image', end_image_url: 'lastFrame' },
      reference_image_urls: { field: 'referenceImages', items_max: 3 },
    },
    always: {},
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/google/at_1',
}
export const omni: Submission = {
  ...veo,
  providerModel: 'gemini-omni-1.1-flash',
  mapping: {
    fields: {
      ...{
        prompt: 'prompt',
        duration: { field: 'duration', values: { '8': '8s' } },
        resolution: 'resolution',
        aspect_ratio: 'aspect_ratio',
      },
      ...{ watermark: { values: { false: null } }, image_url: 'first_frame', end_image_url: 'last_frame' },
      reference_image_urls: { field: 'images', items_max: 10 },
    },
    always: {},
  },
}
export const submitPath = 'models/veo-3.1-fast-generate-preview:predictLongRunning'
export const name = 'models/veo-3.1-fast-generate-preview/operations/op1'
export const id = 'v1_abc-DEF'
export const submitTo = (submission: Submission, answer: Response) => answeringAll(answer).provider.submit(submission, signal)
export const polledOf = (providerTaskId: string, echoed: boolean) => ({
  attemptId,
  providerTaskId,
  providerModel: veo.providerModel,
  echoed,
})
export const operation = polledOf(name, false)
export const interaction = polledOf(id, true)
export const pollOf = async (answers: Answers, polled = interaction) => (await answering(answers).provider.poll([polled], signal))[0]
export const told = (status: string, more: object = {}) => json(200, { id, status, labels: { attempt: attemptId }, ...more })
export const pollTold = (status: string, more: object = {}) => pollOf({ [`interactions/${id}`]: told(status, more) })
export const done = (more: object) => pollOf({ [name]: json(200, { name, done: true, ...more }) }, operation)
