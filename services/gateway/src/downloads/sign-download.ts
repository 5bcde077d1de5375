import { createObjectStore, type ObjectStoreOptions, objectKeyOf } from '@filmgate/kit/object-store'

/** A URL at which a browser saves this video under this name. */
export type SignDownload = (videoUrl: string, fileName: string) => Promise<string>

type DownloadConfig = { outputs: (ObjectStoreOptions & { publicEndpoint: string }) | undefined; outputBaseUrl: string | undefined }

/** A download starts at once; the URL is of no use later. */
const signedSeconds = 300

/** A public URL can't ask its store for another Content-Disposition, a signed one can. Without a bucket, or for a video elsewhere, it is the video's own. */
export function createSignDownload({ outputs, outputBaseUrl }: DownloadConfig): SignDownload {
  const store = outputs && createObjectStore({ ...outputs, endpoint: outputs.publicEndpoint })
  return async (videoUrl, fileName) => {
    const key = objectKeyOf(outputBaseUrl, videoUrl)
    return store && key !== undefined ? store.presignGet(key, signedSeconds, `attachment; filename="${fileName}"`) : videoUrl
  }
}
