import { reject } from '../errors'
import type { FileView } from './file-view'

/** An archive's directory end may be followed by a comment of up to 65,535 bytes. */
const tailBytes = 22 + 65_535
const markup = /<(?:html|script|!doctype|svg|\?php|iframe|body)\b/i

/** Refuses what is a picture or a film to us and an archive or a page to somebody else. */
export async function refusePolyglot(file: FileView, head: Buffer): Promise<void> {
  if (markup.test(head.toString('latin1'))) throw another('markup')
  const tail = await file.read(Math.max(0, file.size - tailBytes), tailBytes)
  for (let at = tail.indexOf('PK\x05\x06', 0, 'latin1'); at !== -1; at = tail.indexOf('PK\x05\x06', at + 1, 'latin1')) {
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) throw another('an archive')
  }
}

const another = (what: string) => reject('media_type_unsupported', { measured: `a file that is ${what} as well`, limit: 'one thing only' })
