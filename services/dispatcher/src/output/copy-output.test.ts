import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash, randomUUID } from 'node:crypto'
import { createObjectStore } from '@filmgate/kit/object-store'
import { servers } from '@filmgate/kit/testing'
import { NotVideo } from './copy-fault'
import { copyOutput } from './copy-output'

setDefaultTimeout(60_000)

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
  const input = { url: `${origin}/`, key: `test/${randomUUID()}.mp4`, signal: AbortSignal.timeout(30_000) }
  try {
    const fault = await copyOutput({ outputs, policy, limits: {}, publicRead: true }, input).catch(error => error)
    expect(fault).toBeInstanceOf(NotVideo)
    expect(fault.sha256).toBe(createHash('sha256').update(page).digest('hex'))
    expect(await outputs.head(input.key)).toBeUndefined()
  } finally {
    await server.stop(true)
  }
})
