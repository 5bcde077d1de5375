import { settings } from './settings'

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${settings.simulatorUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${settings.simulatorKey}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
    keepalive: false,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text || 'null')
}

export type Behaviour = { name: string; [parameter: string]: string | number | boolean | null }
export type Submit = {
  client_task_id: string
  generation_id: string | null
  prompt: string
  answered: string
  /** What a submit that made a generation asked for. */
  request?: Record<string, unknown>
}

const findSubmits = async (by: Record<string, string>) =>
  (await call<{ data: Submit[] }>('GET', `/admin/submits?${new URLSearchParams(by)}`)).data

/** The stand-in for providers, steered by words that a test puts into its prompts. */
export const simulator = {
  /** From now on submits whose prompt has `words` in it meet these behaviours, `times` times or always, and by chance where that is given. */
  behave: (words: string, behaviours: Behaviour[], times?: number, chance: { probability?: number; seed?: number } = {}) =>
    call<{ id: string }>('POST', '/admin/behaviours', { match: { prompt_includes: words }, behaviours, times, ...chance }),
  /** Of what was told with `behave`. */
  forget: (id: string) => call('DELETE', `/admin/behaviours/${id}`),
  /** What arrived there with this prompt, whole: a part of it may be a part of another's too. */
  submits: (prompt: string) => findSubmits({ prompt }),
  /** What arrived there with `words` in its prompt, for prompts that are changed on their way; they must be nobody else's. */
  submitsWith: (words: string) => findSubmits({ prompt_includes: words }),
  /** What reads there show of all generations, until it is said anew. */
  show: (shows: 'all' | 'nothing') => call('PUT', '/admin/view', { shows }),
  /** A replica that stopped `lagMs` ago. */
  showOlder: (lagMs: number) => call('PUT', '/admin/view', { shows: 'older', lag_ms: lagMs }),
  release: (generationId: string) => call('POST', `/admin/generations/${generationId}/release`, {}),
}
