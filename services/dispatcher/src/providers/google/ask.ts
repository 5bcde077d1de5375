import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import type { PollAnswer, Polled, ProviderTask } from '../connector'
import { interactionAnswer, knownIn, operationAnswer } from './verdict'
import {
  attemptIdOf,
  fileStateOf,
  type Interaction,
  interactionForm,
  isInteraction,
  isOperation,
  type Operation,
  operationForm,
} from './wire'

export type AskOptions = { base: string; headers: Record<string, string>; readTimeoutMs: number }

/** What is asked of Google about what it has: by an id of its own, and no other. */
export function createAsking({ base, headers, readTimeoutMs }: AskOptions) {
  const get = (path: string, signal: AbortSignal, call: ProviderCall['call'] = 'poll'): Promise<ProviderAnswer> =>
    callProvider({ provider: 'google', call, url: `${base}/${path}`, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })

  const operation = async (name: string, signal: AbortSignal): Promise<Operation | undefined> =>
    knownIn(name, await get(name, signal), body => (operationForm.Check(body) ? { id: body.name, known: body } : undefined))
  const interaction = async (id: string, signal: AbortSignal): Promise<Interaction | undefined> =>
    knownIn(id, await get(`interactions/${id}`, signal), body => (interactionForm.Check(body) ? { id: body.id, known: body } : undefined))

  /** The video of an interaction is a file that may still be worked on (omni, “Retrieving videos with an URI”). */
  async function fileAnswer(outputUrl: string, signal: AbortSignal): Promise<PollAnswer> {
    const name = fileIn(base, outputUrl)
    if (name === undefined) return { status: 'succeeded', outputUrl }
    const { status, body } = await get(name, signal)
    const state = status === 200 ? fileStateOf(body) : undefined
    if (state === 'ACTIVE') return { status: 'succeeded', outputUrl: `${base}/${name}:download?alt=media` }
    if (state === 'FAILED') return { status: 'failed', code: 'generation_failed', cause: 'failed: its file is FAILED' }
    if (state === undefined) throw new ProviderTrouble(`answered ${status} about the file of a video`, true)
    return state === 'PROCESSING' ? { status: 'running' } : { status: 'running', unknownWord: `file ${state.slice(0, 50)}` }
  }

  return {
    get,
    async poll({ attemptId, providerTaskId, echoed }: Polled, signal: AbortSignal): Promise<PollAnswer> {
      if (isOperation(providerTaskId)) {
        const known = await operation(providerTaskId, signal)
        return known ? operationAnswer(known) : { status: 'missing' }
      }
      const known = await interaction(providerTaskId, signal)
      const owner = known && attemptIdOf(known)
      // One that leads to somebody else's generation is as good as none.
      if (!known || (owner === null ? echoed : owner !== attemptId)) return { status: 'missing' }
      const answer = interactionAnswer(known)
      return answer.status === 'succeeded' ? fileAnswer(answer.outputUrl, signal) : answer
    },
    async identify({ providerTaskId }: ProviderTask, signal: AbortSignal): Promise<{ attemptId: string | null } | undefined> {
      if (isOperation(providerTaskId)) return (await operation(providerTaskId, signal)) && { attemptId: null }
      const known = isInteraction(providerTaskId) ? await interaction(providerTaskId, signal) : undefined
      return known && { attemptId: attemptIdOf(known) }
    },
  }
}

/** `files/<id>`, where an address is one of this API. */
function fileIn(base: string, address: string): string | undefined {
  const path = address.startsWith(`${base}/`) ? address.slice(base.length + 1) : ''
  return /^(files\/[A-Za-z0-9_-]{1,100})(?:[:?]|$)/.exec(path)?.[1]
}
