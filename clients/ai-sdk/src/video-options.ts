import type { ModelId, RequestOf } from '@filmgate/client'

/** A model of the catalog; another name is taken too, for models that are newer than this package. */
export type FilmgateModelId = ModelId | (string & {})

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type Native<M> = M extends ModelId ? Partial<DistributiveOmit<RequestOf<M>, 'model' | 'prompt'>> : Record<string, unknown>

/**
 * `providerOptions.filmgate`: native fields of the request, which win over the AI SDK's own settings, and what a call says beside them.
 * Write `{ … } satisfies FilmgateVideoOptions<'alpha-h3'>` to have the fields checked for the model.
 */
export type FilmgateVideoOptions<M extends FilmgateModelId = ModelId> = Native<M> & {
  /** 1 to 160 letters, digits and `. _ : -`. The same key with the same request is the same video, also after a crash. */
  idempotencyKey?: string
  /** At most eight, the names in lower case, to find the task and its cost by later. */
  tags?: Record<string, string>
  /** Seconds after which an unfinished task is cancelled, where its provider can. */
  cancelAfterSeconds?: number
}

/**
 * `providerMetadata.filmgate`: one entry a video. `creditsUsed` less `creditsRefunded` is what it cost. startVideo with a `webhookUrl` has
 * `webhookSecret` instead, which verifies the call to it.
 */
export type FilmgateVideoMetadata = {
  videos: {
    taskId: string
    creditsUsed: number
    creditsRefunded: number
    billingStatus: string | null
    /** Where the video is; anyone who has it can fetch it. Null where the task failed. */
    url: string | null
  }[]
}
