import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../child/find-tools'
import type { Tools } from '../child/tools'
import { exifBlock, jpegSegment, pngChunk, webpChunk, webpHead, webpOf, withChunks, withSegments } from '../testing/pictures'
import { measure } from './measure'

let folder: string
let tools: Tools
const pictures: Record<string, Buffer> = {}
const limits = create(KindLimitsSchema, { widthMin: 256, widthMax: 5760, heightMin: 256, heightMax: 5760, ratioMin: 0.4, ratioMax: 2.5 })

const recipes: Record<string, string[]> = {
  'a.jpg': ['-pix_fmt', 'yuvj420p'],
  'gray.jpg': ['-pix_fmt', 'gray'],
  'a.png': [],
  'palette.png': ['-pix_fmt', 'pal8'],
  'deep.png': ['-pix_fmt', 'rgba64be'],
  'lossy.webp': ['-c:v', 'libwebp', '-pix_fmt', 'yuv420p'],
  'alpha.webp': ['-c:v', 'libwebp', '-vf', 'format=yuva420p,geq=lum=p(X\\,Y):a=X'],
  'lossless.webp': ['-c:v', 'libwebp', '-lossless', '1', '-pix_fmt', 'bgra'],
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 25_000, coresMax: 4 }
  await Promise.all(
    Object.entries(recipes).map(async ([name, options]) => {
      const command = ['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=512x320', '-frames:v', '1', ...options]
      const child = Bun.spawn([...command, join(folder, name)], { stdin: 'ignore', stderr: 'inherit' })
      expect(await child.exited).toBe(0)
      pictures[name] = await readFile(join(folder, name))
    }),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function outcome(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, crypto.randomUUID())
  const format = name.endsWith('jpg') ? 'jpeg' : name.endsWith('png') ? 'png' : 'webp'
  await writeFile(path, bytes)
  const source = { path, copyPath: `${path}.copy`, folder, kind: MediaKind.IMAGE, format, limits, declaredSeconds: 0 } as const
  return measure(tools, { ...source, signal: new AbortController().signal }).then(
    ({ width, height }) => `${width} × ${height}`,
    error => (error instanceof Failure ? error.reason : String(error)),
  )
}

const names = Object.keys(recipes)
const picture = (name: string) => pictures[name] ?? Buffer.alloc(0)

/** The chunks of a WebP that ffmpeg wrote. */
function chunksOf(webp: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    chunks.push({ type: webp.toString('latin1', at, at + 4), data: webp.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** The same WebP with one chunk shortened and all lengths consistent. */
const shortened = (webp: Buffer, short: string, keep: (bytes: number) => number) =>
  webpOf(...chunksOf(webp).map(({ type, data }) => webpChunk(type, type === short ? data.subarray(0, keep(data.length)) : data)))

function turned(name: string, orientation: number): Buffer {
  const bytes = picture(name)
  if (name.endsWith('jpg')) return withSegments(bytes, jpegSegment(0xe1, 'Exif\0\0', exifBlock(orientation)))
  if (name.endsWith('png')) return withChunks(bytes, pngChunk('eXIf', exifBlock(orientation)))
  const chunks = chunksOf(bytes).filter(({ type }) => type !== 'VP8X')
  return webpOf(
    webpHead(0x08, 512, 320),
    ...chunks.map(({ type, data }) => webpChunk(type, data)),
    webpChunk('EXIF', exifBlock(orientation)),
  )
}

test.each(names)('%s is copied, and its copy decodes at display size', async name => {
  expect(await outcome(name, picture(name))).toBe('512 × 320')
  expect(await outcome(name, turned(name, 3))).toBe('512 × 320')
  expect(await outcome(name, turned(name, 6))).toBe('320 × 512')
})

test('limits apply to the display size: a 1:3 picture is rejected in any orientation', async () => {
  const wide = (orientation: number) => ({ ...limits, ratioMin: orientation > 4 ? 1 : 0.4 })
  const path = join(folder, 'wide.jpg')
  await writeFile(path, turned('a.jpg', 8))
  const source = { path, copyPath: `${path}.copy`, folder, kind: MediaKind.IMAGE, format: 'jpeg', declaredSeconds: 0 } as const
  const measuring = measure(tools, { ...source, limits: wide(8), signal: new AbortController().signal })
  expect(measuring).rejects.toMatchObject({ reason: 'media_dimensions', options: { details: { measured: 'width/height 0.625' } } })
})

// ffmpeg checks each block but the last, which may lack a few bytes, as in every viewer.
test('a JPEG without an end marker is accepted if complete, rejected if truncated', async () => {
  for (const name of ['a.jpg', 'gray.jpg']) {
    const jpeg = picture(name)
    expect(await outcome(name, jpeg.subarray(0, -2))).toBe('512 × 320')
    for (const bytes of [20, 200, Math.floor(jpeg.length / 3)]) {
      const cut = jpeg.subarray(0, -bytes)
      expect(await outcome(name, cut)).toBe('media_corrupt')
      expect(await outcome(name, Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).toBe('media_corrupt')
      expect(await outcome(name, Buffer.concat([cut, Buffer.alloc(bytes)]))).toBe('media_corrupt')
    }
  }
})

test.each([
  ['lossy.webp', 'VP8 '],
  ['alpha.webp', 'VP8 '],
  ['lossless.webp', 'VP8L'],
  ['alpha.webp', 'ALPH'],
])('a WebP with missing picture data but consistent lengths is rejected: %s, %s', async (name, type) => {
  const webp = picture(name)
  expect(
    await outcome(
      name,
      shortened(webp, type, bytes => bytes),
    ),
  ).toBe('512 × 320')
  for (const share of [0.99, 0.9, 0.5, 0.1])
    expect(
      await outcome(
        name,
        shortened(webp, type, bytes => bytes * share),
      ),
    ).toBe('media_corrupt')
  if (type !== 'ALPH')
    expect(
      await outcome(
        name,
        shortened(webp, type, bytes => bytes - 4),
      ),
    ).toBe('media_corrupt')
})

test('a header with a size larger than the picture is rejected', async () => {
  const jpeg = Buffer.from(picture('a.jpg'))
  jpeg.writeUInt16BE(1_200, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5)
  expect(await outcome('a.jpg', jpeg)).toBe('media_corrupt')
})

test('only the copy is left in the folder, whether the picture is accepted or rejected', async () => {
  const own = await mkdtemp(join(folder, 'own-'))
  for (const bytes of [picture('lossy.webp'), shortened(picture('lossy.webp'), 'VP8 ', length => length / 2)]) {
    const path = join(own, 'picture')
    await writeFile(path, bytes)
    const source = {
      path,
      copyPath: join(own, 'copy'),
      folder: own,
      kind: MediaKind.IMAGE,
      format: 'webp',
      limits,
      declaredSeconds: 0,
    } as const
    await measure(tools, { ...source, signal: new AbortController().signal }).catch(() => undefined)
    expect([...new Bun.Glob('*').scanSync(own)].sort()).toEqual(['copy', 'picture'])
    await rm(join(own, 'copy'))
  }
})
