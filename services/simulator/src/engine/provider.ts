import type { Reason } from '../errors'
import type { Fake, Generation, GenerationRequest, Status } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import type { GenerationView, ReadDeps } from '../generation/read'
import type { SubmitDeps } from '../generation/submit'

/** `body` null: without one. */
export type Answer = { status: number; body: object | null; headers?: Record<string, string> }

export type ProviderDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/** A generation that was submitted in a provider's format. */
export type OwnGeneration = Generation & { fake: Fake }

/** One request to a provider's API whose key is the simulator's. */
export type Call = {
  request: Request
  params: Record<string, string>
  query: Record<string, string>
  /** Base of this simulator's addresses. */
  origin: string
  deps: ReadDeps
  /** The body where it is a JSON object. */
  json(): Promise<Record<string, unknown> | undefined>
  /** By the simulator's id, of this provider's format alone. */
  find(id: string): OwnGeneration | undefined
  /** What a poll sees of it. A generation that is not visible is the refusal `not_found`. */
  read(generation: Generation): GenerationView
  /** Cancels what is in one of these states, as its behaviours say; a dropped connection is an answer itself. */
  cancel(generation: OwnGeneration, states: readonly Status[]): 'taken' | 'refused' | Response
  /** Submits a request, and answers as its behaviours say. */
  submit(request: GenerationRequest, options: SubmitOptions): Promise<Answer | Response>
}

export type SubmitOptions = {
  /** What the format keeps beside the request. */
  fake?: Partial<Fake>
  newId: () => string
  accepted: (generation: OwnGeneration, toldId: string) => Answer
  /** The caller's id was sent before. Absent: answered as then. */
  sentBefore?: () => Answer
  /** Nothing that can be rendered here. */
  unfit: () => Answer
}

export type Handler = (call: Call) => Answer | Response | Promise<Answer | Response>

/** A provider's API over the simulator's generations: what it differs in. */
export type Provider = {
  name: Fake['name']
  /** Its paths start with it, in the place of the provider's own address. */
  prefix: string
  /** A refusal, or undefined for the simulator's key. */
  keyFault: (headers: Headers, isKey: (given: string) => boolean) => Answer | undefined
  /** A refusal of the simulator's in the provider's format. */
  refusal: (reason: Reason, call: Call) => Answer
  /** What a broken answer to a submit begins with. */
  cutJson: string
  /** By method and path. */
  routes: Record<string, Handler>
  /** As `routes`, for everybody. */
  publicRoutes?: Record<string, Handler>
  /** In every answer. */
  headers?: () => Record<string, string>
}

/** `Authorization: <scheme> …` and nothing else. */
export const keyOfScheme =
  (scheme: string, wrong: Answer, missing: Answer = wrong): Provider['keyFault'] =>
  (headers, isKey) => {
    const [, given] = new RegExp(`^${scheme} (\\S+)$`).exec(headers.get('authorization') ?? '') ?? []
    if (given === undefined) return missing
    return isKey(given) ? undefined : wrong
  }

/** A table of refusals; `broken` is the answer to every other reason. */
export const refusalsOf =
  (refusals: Partial<Record<Reason, Answer>>, broken: Answer) =>
  (reason: Reason): Answer =>
    refusals[reason] ?? broken
