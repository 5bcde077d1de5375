import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { InputUnreachable } from '../generation/progress'

const inputBytesMax = 256 * 1024 * 1024
const inputTimeoutMs = 60_000

/** Downloads one input to `path` plus the extension its first bytes call for; ffmpeg's image reader goes by the name. */
export async function fetchInput(address: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(inputTimeoutMs)]) })
    if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`)
    let bytes = 0
    const counted = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length
          if (bytes > inputBytesMax) controller.error(new Error(`more than ${inputBytesMax} bytes`))
          else controller.enqueue(chunk)
        },
      }),
    )
    await pipeline(Readable.fromWeb(counted as never), createWriteStream(path))
  } catch (error) {
    throw new InputUnreachable(`An input could not be fetched: ${error instanceof Error ? error.message : 'unknown'}.`)
  }
  const named = `${path}.${extensionOf(await Bun.file(path).slice(0, 12).bytes())}`
  await rename(path, named)
  return named
}

function extensionOf(head: Uint8Array): string {
  const text = Buffer.from(head).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (text.startsWith('\x89PNG')) return 'png'
  if (text.startsWith('RIFF')) return text.endsWith('WEBP') ? 'webp' : 'wav'
  if (text.slice(4, 8) === 'ftyp') return 'mp4'
  return 'bin'
}
