import { fileURLToPath } from 'node:url'
import { type Mp4Structure, OutputFault } from './check-mp4'
import type { Measured } from './read-mp4'

export type Mp4Reader = { read(structure: Mp4Structure): Promise<Measured>; close(): void }
/** The reader came to no answer, which proves nothing about the file: a bound was met, or the parsing library failed. */
export class UnreadMp4 extends Error {
  override name = 'UnreadMp4'
}

type Answer = { measured: Measured } | { fault: string } | { unread: string }

/** A real file takes some milliseconds; a machine that is busy, some hundred. */
const readMsMax = 10_000
/** Of the process together, from when the reading began. Real tables take some megabytes. */
const growthBytesMax = 256 * 2 ** 20
const watchEveryMs = 20

/** In a bundle it lies beside main.js. */
const workerPath = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './read-mp4-worker.ts' : './read-mp4-worker.js', import.meta.url),
)

/**
 * Reads structures one after the other in a thread, with bounds of time and memory: a reader expands the counts that a file claims, and a file
 * may claim billions. Past a bound the thread is ended. That is no proof against the file, because a busy machine looks the same.
 */
export function createMp4Reader({ timeoutMs = readMsMax } = {}): Mp4Reader {
  let worker: Worker | undefined
  let queue: Promise<unknown> = Promise.resolve()

  function open(): Worker {
    worker ??= new Worker(workerPath)
    worker.unref()
    return worker
  }

  function close(): void {
    worker?.terminate()
    worker = undefined
  }

  async function readNow(structure: Mp4Structure): Promise<Measured> {
    const thread = open()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const stop = (words: string) => {
      close()
      reject(new UnreadMp4(words))
    }
    thread.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data)
    thread.onerror = ({ message }) => stop(`the reader of MP4 failed: ${message}`)
    const startedBytes = process.memoryUsage.rss()
    const deadline = setTimeout(stop, timeoutMs, `the MP4 was not read within ${timeoutMs} ms`)
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - startedBytes > growthBytesMax) stop(`the MP4 was not read within ${growthBytesMax} bytes of memory`)
    }, watchEveryMs)
    try {
      thread.postMessage(structure)
      const answer = await promise
      if ('fault' in answer) throw new OutputFault(answer.fault)
      if ('unread' in answer) throw new UnreadMp4(`the MP4 was not read: ${answer.unread}`)
      return answer.measured
    } finally {
      clearTimeout(deadline)
      clearInterval(watch)
    }
  }

  return {
    read(structure) {
      const reading = queue.then(() => readNow(structure))
      queue = reading.catch(() => undefined)
      return reading
    },
    close,
  }
}
