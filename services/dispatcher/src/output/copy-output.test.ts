import { afterAll, expect, test } from 'bun:test'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { createObjectStore } from '@filmgate/kit/object-store'
import { servers } from '@filmgate/kit/testing'
import { createMp4Reader } from '../delivery/mp4-reader'
import { h264, makeFilm, picture, tone } from '../testing/make-film'
import { copyFaultOf, NotVideo } from './copy-fault'
import { copyOutput } from './copy-output'

const reader = createMp4Reader()
afterAll(() => reader.close())

const page = `<html>${'a page where a video should be '.repeat(40)}</html>`

test('a long page that comes slowly is no video, not a store that stands still: its upload waits for nothing', async () => {
  const pieces = page.match(/.{1,100}/g) ?? []
  const server = Bun.serve({
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(150)
            const piece = pieces.shift()
            if (piece === undefined) controller.close()
            else controller.enqueue(new TextEncoder().encode(piece))
          },
        }),
      ),
  })
  const origin = `http://localhost:${server.port}`
  const outputs = createObjectStore({ ...servers.s3, bucket: 'filmgate-outputs', stallTimeoutMs: 500 })
  const policy = { forbiddenRanges: [], trustedOrigins: [{ origin }] }
  const input = { url: `${origin}/`, key: `test/${randomUUID()}.mp4`, fileName: 'film.mp4', signal: AbortSignal.timeout(30_000) }
  try {
    const fault = await copyOutput({ outputs, policy, limits: {}, publicRead: true, readMp4: reader.read }, input).catch(error => error)
    expect(fault).toBeInstanceOf(NotVideo)
    expect(fault.sha256).toBe(createHash('sha256').update(page).digest('hex'))
    expect(await outputs.head(input.key)).toBeUndefined()
  } finally {
    await server.stop(true)
  }
})

const box = (type: string, body: Buffer) => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}
const film = await makeFilm(...picture, ...h264)
const coded = { codedWidth: 320, codedHeight: 180 }
const measured = { ...coded, durationMs: 2_000, width: 320, height: 180, frameRate: 24, videoCodec: 'h264', hasAudio: false }

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What a copy comes to whose host answers this, to the byte, and hangs up. What is kept is what was read. */
async function copyOf(head: string, body: Buffer, bodyBytesMax = 1_000_000, redirectTo?: string) {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', data => {
      if (redirectTo !== undefined && data.toString().startsWith('GET / '))
        return socket.end(Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${redirectTo.replace('ORIGIN', origin)}\r\n\r\n`, 'latin1'))
      socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), body]))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outputs = createObjectStore({ ...servers.s3, bucket: 'filmgate-outputs' })
  const input = { url: `${origin}/`, key: `test/${randomUUID()}.mp4`, fileName: 'film.mp4', signal: AbortSignal.timeout(30_000) }
  const deps = {
    outputs,
    policy: { forbiddenRanges: [], trustedOrigins: [{ origin }] },
    limits: { bodyBytesMax },
    publicRead: true,
    readMp4: reader.read,
  }
  try {
    const copied = await copyOutput(deps, input)
    const stored = await fetch(await outputs.presignGet(input.key, 60))
    expect(stored.headers.get('content-disposition')).toBe('inline; filename="film.mp4"')
    expect(hashOf(await stored.bytes())).toBe(copied.sha256)
    return copied
  } catch (error) {
    expect(await outputs.head(input.key)).toBeUndefined()
    return copyFaultOf(error).kind
  } finally {
    server.close()
  }
}

const half = Math.floor(film.length / 2)
const sha256 = hashOf(film)

test.each<[string, string, Buffer, unknown]>([
  ['as long as it is', `content-length: ${film.length}\r\n`, film, { bytes: film.length, sha256, measured }],
  ['until the connection ends', '', film, { bytes: film.length, sha256, measured }],
  ['as longer than what comes', `content-length: ${film.length + 1}\r\n`, film, 'unfetched'],
  // What comes behind the declared end is no part of the answer.
  ['as shorter than it is', `content-length: ${half}\r\n`, film, 'not_video'],
  [
    'as half of what comes, which is a film and something else',
    `content-length: ${film.length}\r\n`,
    Buffer.concat([film, film]),
    { bytes: film.length, sha256, measured },
  ],
  ['as nothing', 'content-length: 0\r\n', film, 'not_video'],
  ['as more than we take', 'content-length: 1000001\r\n', film, 'too_large'],
  ['in two lengths', `content-length: ${film.length}\r\ncontent-length: ${half}\r\n`, film, 'unfetched'],
  ['until the connection ends, and cut', '', film.subarray(0, half), 'unfetched'],
  [
    'in chunks, cut between two',
    'transfer-encoding: chunked\r\n',
    Buffer.concat([Buffer.from('100\r\n'), film.subarray(0, 256), Buffer.from('\r\n')]),
    'unfetched',
  ],
  [
    'in chunks that end too early',
    'transfer-encoding: chunked\r\n',
    Buffer.concat([Buffer.from('100\r\n'), film.subarray(0, 256), Buffer.from('\r\n0\r\n\r\n')]),
    'not_video',
  ],
])('a film that its host declares %s', async (_, head, body, expected) => {
  expect(await copyOf(head, body)).toEqual(expected as never)
})

test.each([
  ['ORIGIN/a film[1] caf\u00e9.mp4#t=1', { bytes: film.length, sha256, measured }],
  // A redirect that isn't followed says nothing of the file.
  ['http://elsewhere.example/film.mp4', 'unfetched'],
  ['https://10.0.0.1/film.mp4', 'forbidden'],
])('a film whose host leads on to %s', async (location, expected) => {
  expect(await copyOf('', film, undefined, location)).toEqual(expected as never)
})

test('a film that the reader comes to no answer about is neither refused nor our storage’s fault', async () => {
  const unreadable = await makeFilm(...picture, ...tone, ...h264, '-c:a', 'aac')
  unreadable.writeUInt32BE(0, unreadable.indexOf('esds', 0, 'latin1') + 8)
  expect(await copyOf(`content-length: ${unreadable.length}\r\n`, unreadable)).toBe('unread')
})

test('a film of several parts is kept byte for byte', async () => {
  const bytes = 23_456_789
  const long = Buffer.concat([film, box('mdat', randomBytes(bytes - film.length - 8))])
  expect(await copyOf(`content-length: ${bytes}\r\n`, long, bytes)).toEqual({ bytes, sha256: hashOf(long), measured })
})
