import type { GenerationRequest } from '../generation/generation'

export type Body = Record<string, unknown>

/** MiniMax takes no id of the caller's: this one is made up. */
export type Ours = Pick<GenerationRequest, 'client_task_id'>

export const isAddress = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value)

export const defined = (request: { [F in keyof GenerationRequest]: GenerationRequest[F] | undefined }): GenerationRequest =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as GenerationRequest
