// A thread of its own for read-mp4.ts, so that a file made to keep its reader busy keeps nobody else waiting and can be stopped.
import { Logging, LogLevel } from 'mediabunny'
import { type Mp4Structure, OutputFault } from './check-mp4'
import { readMp4 } from './read-mp4'

declare const self: Worker

// What it makes of a file is in its answer.
Logging.level = LogLevel.Silent

self.onmessage = async ({ data }: MessageEvent<Mp4Structure>) => {
  self.postMessage(
    await readMp4(data).then(
      measured => ({ measured }),
      error => (error instanceof OutputFault ? { fault: error.message } : { unread: String(error).slice(0, 200) }),
    ),
  )
}
