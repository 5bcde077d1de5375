import { randomUUID } from 'node:crypto'
import { constants, readSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '@filmgate/kit/deadline'

/** Standard error of a child that reports its work there. */
export type ReportPipe = {
  /** The end that the child writes to. */
  fd: number
  /** To be called once the child has its end. Reads until nobody can write, and keeps at most `bytesMax`. */
  readToEnd(bytesMax: number, onMore: () => void): Promise<string>
  close(): Promise<void>
}

/** What a pipe holds: a child that fills it waits. */
const pipeBytes = 65_536
const lookEveryMs = 20

/**
 * A pipe that is read now and then. One that Bun makes wakes us at every write, and ffmpeg writes each line in three: 70 ms of processor for
 * a film's thousand. `folder`: where it has a name for a moment.
 */
export async function openReportPipe(folder: string): Promise<ReportPipe> {
  const path = join(folder, `${randomUUID()}.report`)
  const made = Bun.spawn(['mkfifo', '-m', '600', path], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  if ((await made.exited) !== 0) throw new Error(`mkfifo (coreutils) can’t make a pipe in ${folder}`)
  const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = await open(path, constants.O_WRONLY)
  await unlink(path)
  return {
    fd: writer.fd,
    async readToEnd(bytesMax, onMore) {
      await writer.close()
      const kept: Buffer[] = []
      let bytes = 0
      for (;;) {
        const chunk = readNow(reader.fd)
        if (chunk?.length === 0) return Buffer.concat(kept).toString()
        if (chunk && bytes < bytesMax) kept.push(chunk.subarray(0, bytesMax - bytes))
        bytes += chunk?.length ?? 0
        if (bytes > bytesMax) onMore()
        if (chunk?.length !== pipeBytes) await pause(lookEveryMs)
      }
    },
    async close() {
      await Promise.allSettled([reader.close(), writer.close()])
    },
  }
}

/** Empty at the end; undefined where nothing is there yet. */
function readNow(fd: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(pipeBytes)
  try {
    return buffer.subarray(0, readSync(fd, buffer))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined
    throw error
  }
}
