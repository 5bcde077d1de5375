import { existsSync } from 'node:fs'
import { copyFile, open, rename, stat } from 'node:fs/promises'

/** Half of the file, or up to half of that box: either broken off (`clean` false), or ended as if it were all, so that only the video tells. */
export function cutOff(whole: Uint8Array<ArrayBuffer>, clean: boolean, within?: 'moov' | 'mdat'): Response {
  const half = whole.subarray(0, within ? middleOf(whole, within) : Math.floor(whole.length / 2))
  if (clean) return new Response(half, { headers: { 'content-type': 'video/mp4' } })
  let sent = false
  const body = new ReadableStream({
    pull(controller) {
      if (sent) controller.error()
      else controller.enqueue(half)
      sent = true
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}

/** The file and then zeros until the caller hangs up. */
export function endless(whole: Uint8Array<ArrayBuffer>): Response {
  const zeros = new Uint8Array(65_536)
  let first = true
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(first ? whole : zeros)
      first = false
      // Gives the event loop back, or one greedy reader would be all this process serves.
      await Bun.sleep(1)
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}

/** The first half, and then nothing while the connection stays open. */
export function stalled(whole: Uint8Array<ArrayBuffer>): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(whole.subarray(0, Math.floor(whole.length / 2)))
    },
  })
  return new Response(body, { headers: { 'content-type': 'video/mp4' } })
}

/** The offset of the middle of the file's box of that type. */
function middleOf(whole: Uint8Array<ArrayBuffer>, type: string): number {
  const view = Buffer.from(whole.buffer, whole.byteOffset, whole.length)
  for (let at = 0; at + 8 <= view.length; at += view.readUInt32BE(at)) {
    if (view.toString('latin1', at + 4, at + 8) === type) return at + Math.floor(view.readUInt32BE(at) / 2)
    if (view.readUInt32BE(at) < 8) break
  }
  throw new Error(`the output has no ${type} to be cut in`)
}

const others = {
  page: { type: 'text/html', bytes: Buffer.from('<!doctype html><title>Not a video</title>') },
  webm: {
    type: 'video/webm',
    bytes: Buffer.concat([Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'), Buffer.alloc(4_096)]),
  },
  png: { type: 'image/png', bytes: Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(4_096)]) },
}

/** Something else in the place of a video. */
export const another = (is: keyof typeof others, contentType = others[is].type): Response =>
  new Response(others[is].bytes, { headers: { 'content-type': contentType } })

/** A video that long, beside the one at `path`: that one, and then a box of zeros that means nothing. */
export async function lengthened(path: string, bytes: number): Promise<string> {
  const made = `${path}.${bytes}.long`
  if (existsSync(made)) return made
  const { size } = await stat(path)
  const box = Buffer.alloc(8)
  box.writeUInt32BE(bytes - size)
  box.write('free', 4, 'latin1')
  const making = `${made}.${crypto.randomUUID()}`
  await copyFile(path, making)
  const file = await open(making, 'r+')
  await file.write(box, 0, box.length, size)
  await file.truncate(bytes)
  await file.close()
  await rename(making, made)
  return made
}
