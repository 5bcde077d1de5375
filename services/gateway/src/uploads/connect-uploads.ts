import { createObjectStore, type ObjectStoreOptions } from '@filmgate/kit/object-store'
import type { Log } from '@filmgate/kit/telemetry/log'
import { createJudgeUpload } from './judge-upload'
import type { UploadDeps } from './routes'
import type { UploadRoom } from './variables'

type UploadConfig = UploadRoom & {
  uploads: (ObjectStoreOptions & { publicEndpoint: string }) | undefined
  mediaProbeUrl: string | undefined
}

/** What uploads need of the store and of media-probe; without a bucket they are off. */
export function connectUploads(config: UploadConfig, log: Log): Pick<UploadDeps, 'uploads' | 'uploadRoom' | 'judgeUpload'> {
  const { uploads, mediaProbeUrl } = config
  if (!uploads) return { uploads: undefined, uploadRoom: config, judgeUpload: undefined }
  const own = createObjectStore(uploads)
  return {
    uploads: { own, public: createObjectStore({ ...uploads, endpoint: uploads.publicEndpoint }) },
    uploadRoom: config,
    judgeUpload: mediaProbeUrl === undefined ? undefined : createJudgeUpload({ mediaProbeUrl, store: own, log }),
  }
}
