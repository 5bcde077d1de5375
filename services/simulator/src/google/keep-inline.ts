import type { FalStorage } from '../fal/storage'
import type { Inline } from './read-request'

/** First bytes of the files that may be sent, by their type. */
const heads: Record<string, string> = { 'image/jpeg': '\xff\xd8\xff', 'image/png': '\x89PNG', 'image/webp': 'RIFF' }

/** Pictures have their bytes in the request; the renderer takes an address. Undefined where they are not what they are said to be. */
export async function keepInline(storage: FalStorage, origin: string, { data, mimeType }: Inline): Promise<string | undefined> {
  const bytes = Buffer.from(data, 'base64')
  const head = heads[mimeType]
  const isWhole = bytes.toString('base64') === data
  if (!isWhole || !head || !bytes.toString('latin1', 0, 4).startsWith(head)) return undefined
  const name = `picture.${mimeType.slice('image/'.length)}`
  const id = storage.open({ contentType: mimeType, name, keptSeconds: undefined })
  const file = storage.find(id)
  if (file) await Bun.write(file.path, bytes)
  return `${origin}/fal/storage/files/${id}/${name}`
}
