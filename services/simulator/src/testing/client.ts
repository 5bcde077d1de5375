import type { RuleRequest } from '../behaviour/behaviour'
import type { GenerationRequest } from '../generation/generation'
import type { GenerationView } from '../generation/read'

export const testKey = 'a-key-for-tests-only'

/** What any route may answer; a test looks at what its own does. */
type Answer = Omit<GenerationView, 'error'> & {
  data: GenerationView[]
  count: number
  error: { code: string; message: string; details: { faults: { path: string }[] } }
}

export function testClient(origin: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...init.headers },
    })
  const json = async (path: string, init?: RequestInit) => {
    const answer = await call(path, init)
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  const post = (path: string, body: unknown) => json(path, { method: 'POST', body: JSON.stringify(body) })
  const read = async (id: string): Promise<GenerationView> => (await json(`/v1/generations/${id}`)).body as GenerationView
  return {
    origin,
    call,
    json,
    post,
    read,
    submit: (request: GenerationRequest) => post('/v1/generations', request),
    lookUp: (clientTaskId: string) => json(`/v1/generations?client_task_id=${clientTaskId}`),
    /** From now on, submits of this very request meet these behaviours. */
    behave: (request: GenerationRequest, behaviours: RuleRequest['behaviours'], more: Partial<RuleRequest> = {}) =>
      post('/admin/behaviours', { match: { client_task_id: request.client_task_id }, behaviours, ...more }),
    async submitCount(request: GenerationRequest): Promise<number> {
      return (await json(`/admin/submits?client_task_id=${request.client_task_id}`)).body.count
    },
    /** Reads until it has that status; gives up with what it saw last. */
    async until(id: string, status: string, timeoutMs = 150_000): Promise<GenerationView> {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const seen = await read(id)
        if (seen.status === status) return seen
        if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(seen)}, not ${status}`)
        await Bun.sleep(25)
      }
    },
  }
}
