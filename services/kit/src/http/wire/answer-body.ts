import type { ServerResponse } from 'node:http'
import type { ReadableStreamDefaultReader } from 'node:stream/web'

type Bytes = Uint8Array<ArrayBuffer>
type Parts = { begun: Bytes[]; reader: ReadableStreamDefaultReader<Bytes> }
type Start = { whole: Bytes; parts?: undefined } | { whole?: undefined; parts: Parts }

/** What comes in one piece is told with its length. The rest of what comes in several is read as it is taken. */
export async function readStart(body: ReadableStream<Bytes> | null): Promise<Start> {
  if (body === null) return { whole: new Uint8Array() }
  const reader = body.getReader()
  const begun: Bytes[] = []
  while (begun.length < 2) {
    const { done, value } = await reader.read()
    if (done) return { whole: begun[0] ?? new Uint8Array() }
    begun.push(value)
  }
  return { parts: { begun, reader } }
}

/** No further ahead than the client takes it. Whoever leaves ends the reading; what breaks ends the connection, so that no part is taken for the whole. */
export async function writeRest(response: ServerResponse, { begun, reader }: Parts): Promise<void> {
  const left = new Promise<void>(resolve => response.once('close', () => resolve()))
  let [, hasRoom] = begun.map(part => response.write(part))
  while (!response.destroyed) {
    if (!hasRoom) await Promise.race([new Promise<void>(resolve => response.once('drain', () => resolve())), left])
    if (response.destroyed) break
    const { done, value } = await reader.read()
    if (done) return void response.end()
    hasRoom = response.write(value)
  }
  await reader.cancel()
}
