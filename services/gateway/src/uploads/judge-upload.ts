import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Log } from '@filmgate/kit/telemetry/log'
import { readAnswer } from '@filmgate/proto/operator/answer'
import { type UploadQuestion, UploadVerdict } from '@filmgate/proto/upload-verdict'

type Question = Pick<UploadQuestion, 'kind' | 'limits'> & { key: string; waitMsMax: number }

/** The verdict of media-probe on an upload; undefined if there is none now. Then it is judged with its request. */
export type JudgeUpload = (question: Question) => Promise<UploadVerdict | undefined>

const signedSeconds = 300

type Options = { mediaProbeUrl: string; store: Pick<ObjectStore, 'presignGet'>; log: Log }

export const createJudgeUpload =
  ({ mediaProbeUrl, store, log }: Options): JudgeUpload =>
  async ({ key, kind, limits, waitMsMax }) => {
    try {
      const answer = await fetch(`${mediaProbeUrl}/uploads/verdicts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // The signature shows that we may read the upload; media-probe has no other check of its caller.
        body: JSON.stringify({ url: await store.presignGet(key, signedSeconds), kind, limits } satisfies UploadQuestion),
        signal: AbortSignal.timeout(waitMsMax),
        redirect: 'error',
      })
      const read = readAnswer(UploadVerdict, await answer.json())
      if (answer.ok && read.ok) return read.value
      log.warn({ status: answer.status }, 'an upload was not judged')
    } catch (err) {
      log.warn({ err }, 'an upload was not judged')
    }
    return undefined
  }
