import { dlopen, ptr } from 'bun:ffi'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { pause } from '@filmgate/kit/deadline'

/** Standard error of a child that writes its report there. */
export type ReportPipe = {
  /** The end that the child writes to. */
  fd: number
  /** Call it once the child has its end. Reads until all writers close, and keeps at most `bytesMax`. */
  readToEnd(bytesMax: number, onOverflow: () => void): Promise<string>
  close(): void
}

/** A pipe's capacity; a child that fills it blocks. */
const pipeBytes = 65_536
const readEveryMs = 20

/** Bun has no call for pipes; libc, which every image has, does. */
const { symbols: libc } = dlopen('libc.so.6', { pipe2: { args: ['ptr', 'i32'], returns: 'i32' } })
const closeOnExec = 0o2_000_000

/**
 * A pipe that is polled. Bun's own pipes wake us at every write, and ffmpeg writes each line in three:
 * 40 ms of CPU for a thousand lines, and 4 ms with polling.
 */
export function openReportPipe(): ReportPipe {
  const ends = new Int32Array(2)
  if (libc.pipe2(ptr(ends), closeOnExec) !== 0) throw new Error('can’t create a pipe: too many open files')
  const [blocking = -1, writer = -1] = ends
  // Opened again: O_NONBLOCK on the first descriptor would apply to the writer too.
  const reader = openSync(`/proc/self/fd/${blocking}`, constants.O_RDONLY | constants.O_NONBLOCK)
  closeSync(blocking)
  const open = new Set([reader, writer])
  const end = (fd: number) => {
    if (open.delete(fd)) closeSync(fd)
  }
  return {
    fd: writer,
    async readToEnd(bytesMax, onOverflow) {
      end(writer)
      const kept: Buffer[] = []
      let bytes = 0
      for (;;) {
        const chunk = readAvailable(reader)
        if (chunk?.length === 0) return Buffer.concat(kept).toString()
        if (chunk && bytes < bytesMax) kept.push(chunk.subarray(0, bytesMax - bytes))
        bytes += chunk?.length ?? 0
        if (bytes > bytesMax) onOverflow()
        if (chunk?.length !== pipeBytes) await pause(readEveryMs)
      }
    },
    close() {
      for (const fd of open) end(fd)
    },
  }
}

/** Empty at the end of the stream; undefined if no data is available yet. */
function readAvailable(fd: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(pipeBytes)
  try {
    return buffer.subarray(0, readSync(fd, buffer))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined
    throw error
  }
}
