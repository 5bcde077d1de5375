import { open } from 'node:fs/promises'
import { invariant } from '@filmgate/kit/failure'

/** Buffers per call (IOV_MAX is 1,024). */
const piecesMax = 1_000

/** Writes the buffers to a new file without joining them in memory. */
export async function writeBuffers(path: string, buffers: Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (let from = 0; from < buffers.length; from += piecesMax) {
      const pieces = buffers.slice(from, from + piecesMax).filter(({ length }) => length > 0)
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
      const { bytesWritten } = await file.writev(pieces)
      invariant(bytesWritten === bytes, `${bytesWritten} of ${bytes} bytes were written`)
    }
  } finally {
    await file.close()
  }
}
