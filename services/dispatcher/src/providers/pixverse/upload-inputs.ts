import { extname } from 'node:path'
import { callProvider, ProviderTrouble } from '../call'
import type { HandedMedia, Uploaded } from '../connector'
import { notSent, readOurs, UploadTrouble } from '../read-ours'
import { refusalOf } from './verdict'
import { answerForm, imageForm } from './wire'

export type UploadOptions = {
  url: string
  /** Of one request: the key, and a trace id that no other has. */
  headers(): Record<string, string>
  /** For all inputs of one order. */
  timeoutMs: number
}

/**
 * Inputs as PixVerse's own images, which a submit names by their ids: docs.platform.pixverse.ai/upload-image-13016631e0. The bytes are sent, because its
 * pages differ on whether it takes an address. The id stands where a copy's address would.
 */
export async function uploadInputs(options: UploadOptions, media: HandedMedia[], signal: AbortSignal): Promise<Uploaded> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
  try {
    const uploaded = await Promise.all(media.map(one => upload(options, one, ending)))
    return uploaded.find(one => 'outcome' in one) ?? { outcome: 'uploaded', media: uploaded.filter(one => 'url' in one) }
  } catch (error) {
    return notSent(error)
  }
}

async function upload(
  options: UploadOptions,
  one: HandedMedia,
  signal: AbortSignal,
): Promise<HandedMedia | Exclude<Uploaded, { media: unknown }>> {
  const { body, bytes, contentType } = await readOurs(one, signal)
  const form = formOf(`${one.field}-${one.index}${extname(new URL(one.url).pathname)}`, contentType, body)
  const answer = await callProvider({
    ...{ provider: 'pixverse', call: 'upload', method: 'POST', url: `${options.url}/image/upload`, timeoutMs: options.timeoutMs, signal },
    headers: { ...options.headers(), 'content-type': form.contentType, 'content-length': String(form.bytesBeside + bytes) },
    body: form.body,
  }).catch((error: unknown) => {
    if (!(error instanceof ProviderTrouble)) throw error
    throw new UploadTrouble(`PixVerse’s upload: ${error.message}`, form.isBroken(), error)
  })
  const refusal = refusalOf(answer)
  if (refusal) return { outcome: 'refused', ...refusal, cause: `not sent: an input’s upload: ${refusal.cause}` }
  if (answer.status !== 200 || !answerForm.Check(answer.body) || answer.body.ErrCode !== 0 || !imageForm.Check(answer.body.Resp))
    throw new UploadTrouble(`PixVerse’s upload answered ${answer.status} without an id`, false)
  return { ...one, url: String(answer.body.Resp.img_id) }
}

/** A form with one file, as it is read: an input is never held whole. */
function formOf(name: string, contentType: string, file: ReadableStream<Uint8Array>) {
  const boundary = `filmgate-${crypto.randomUUID()}`
  const disposition = `content-disposition: form-data; name="image"; filename="${name}"`
  const head = Buffer.from(`--${boundary}\r\n${disposition}\r\ncontent-type: ${contentType}\r\n\r\n`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  let broken = false
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    yield head
    try {
      yield* file
    } catch (error) {
      broken = true
      throw error
    }
    yield tail
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytesBeside: head.length + tail.length,
    body: streamOf(parts()),
    /** Our store broke off. */
    isBroken: () => broken,
  }
}

const streamOf = (parts: AsyncGenerator<Uint8Array, void>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return()
    },
  })
