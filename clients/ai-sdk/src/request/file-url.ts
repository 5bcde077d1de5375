import type { Experimental_VideoModelV4File } from '@ai-sdk/provider'
import type { Filmgate } from '@filmgate/client'
import type { UrlOfFile } from './build-request.ts'

/** URLs pass as they are; bytes and data URLs are uploaded, and have a URL for a day. */
export function fileUrl({ uploads }: Pick<Filmgate, 'uploads'>, signal: AbortSignal | undefined): UrlOfFile {
  return async file => {
    if (file.type === 'url' && !file.url.startsWith('data:')) return file.url
    return uploads.create(await blobOf(file), { signal })
  }
}

async function blobOf(file: Experimental_VideoModelV4File): Promise<Blob> {
  if (file.type === 'url') return (await fetch(file.url)).blob()
  const { data, mediaType: type } = file
  const bytes = typeof data === 'string' ? Uint8Array.from(atob(data), each => each.charCodeAt(0)) : new Uint8Array(data)
  return new Blob([bytes], { type })
}
