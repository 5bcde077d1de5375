import type { Fetch } from '../api/api-fetch.ts'

export type Sent = { method: string; url: string; headers: Headers; body: string }
type Answer = { status?: number; body: unknown; headers?: Record<string, string> }
export type Routes = Record<string, (sent: Sent, times: number) => Answer | undefined>

export const baseUrl = 'https://api.example.com/api/v1'
export const apiKey = 'sk_live_of_tests'

const mode = (fields: string[]) => ({ required: ['prompt'], fields, media_limits: null, schema: { properties: {} } })
export const task = (changes = {}) => ({
  id: 'vt_1',
  status: 'completed',
  model: 'alpha-h3',
  mode: 'text-to-video',
  credits_used: 20,
  credits_refunded: 0,
  output: { video_url: 'https://videos.example.com/1.mp4' },
  error: null,
  created_at: null,
  updated_at: null,
  billing_status: 'settled',
  ...changes,
})

/** An API without a network: `METHOD path` of what is asked leads to its answer; undefined cuts the line. */
export function fakeApi(routes: Routes) {
  const sent: Sent[] = []
  const models = [{ id: 'alpha-h3', modes: { 'text-to-video': mode(['prompt']), 'image-to-video': mode(['prompt', 'image_url']) } }]
  const all: Routes = {
    'GET /api/v1/models': () => ({ body: { data: models } }),
    'POST /api/v1/video/generations': () => ({ status: 202, body: task() }),
    'GET /api/v1/tasks/vt_1': () => ({ body: task() }),
    'POST /openai/v1/videos': () => ({ body: { id: 'vt_1', credits_used: 20, credits_refunded: 0 } }),
    'POST /api/v1/uploads': () => ({
      body: { id: 'up_1', put_url: 'https://store.example.com/1', put_headers: {}, url: 'https://store.example.com/1' },
    }),
    'GET /api/v1/uploads/up_1': () => ({ body: { id: 'up_1', status: 'accepted' } }),
    'PUT /1': () => ({ body: {} }),
    ...routes,
  }
  const fetch: Fetch = async (url, init) => {
    const one = { method: init.method ?? 'GET', url, headers: new Headers(init.headers), body: String(init.body ?? '') }
    sent.push(one)
    const path = `${one.method} ${new URL(url).pathname}`
    const answer = all[path]?.(one, sent.filter(each => each.url === url && each.method === one.method).length)
    if (!answer) throw new TypeError(`no answer of ${path}`)
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1', ...answer.headers }
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200, headers })
  }
  return { fetch, sent, posts: (path: string) => sent.filter(each => each.method === 'POST' && each.url.endsWith(path)) }
}
