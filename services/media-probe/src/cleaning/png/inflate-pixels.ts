import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { Failure } from '@filmgate/kit/failure'
import { reject } from '../../errors'
import { type Pass, type PngHeader, rowsOf } from './header'

/** Large enough to spare the event loop, small enough for memory. */
const pieceBytes = 262_144
const filterMax = 4

/**
 * Inflates a PNG's pixels off the event loop and discards them. They must be exactly the rows of the header.
 * Returns the compressed bytes without what follows the end of their stream.
 */
export async function inflatePixels(header: PngHeader, compressed: Buffer[], signal: AbortSignal): Promise<Buffer[]> {
  const rows = createRowReader(rowsOf(header))
  const source = Readable.from(compressed)
  const inflate = source.pipe(createInflate({ chunkSize: pieceBytes }))
  const stop = () => {
    source.destroy()
    inflate.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const piece of inflate) rows.take(piece)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Failure ? error : brokenFault('whose pixels are cut or damaged', error)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  signal.throwIfAborted()
  rows.end()
  return firstBytes(compressed, inflate.bytesWritten)
}

/** Follows the rows in the stream; each starts with its filter type. */
function createRowReader(passes: Pass[]) {
  let [pass, row] = [0, 0]
  /** Offset of the next row from the start of the next piece. */
  let nextRowAt = 0
  return {
    take(piece: Buffer): void {
      while (nextRowAt < piece.length) {
        const { rows, rowBytes } = passes[pass] ?? { rows: 0, rowBytes: 0 }
        if (row >= rows) throw brokenFault('with more pixels than its header says')
        if ((piece[nextRowAt] ?? 0) > filterMax) throw brokenFault('whose pixels are cut or damaged')
        nextRowAt += rowBytes
        row += 1
        if (row === rows && pass + 1 < passes.length) [pass, row] = [pass + 1, 0]
      }
      nextRowAt -= piece.length
    },
    end(): void {
      if (pass + 1 < passes.length || row < (passes[pass]?.rows ?? 0) || nextRowAt !== 0)
        throw brokenFault('with fewer pixels than its header says')
    },
  }
}

/** The first `bytes` of the pieces. */
function firstBytes(pieces: Buffer[], bytes: number): Buffer[] {
  const kept: Buffer[] = []
  let left = bytes
  for (const piece of pieces) {
    if (left <= 0) break
    kept.push(piece.subarray(0, left))
    left -= piece.length
  }
  return kept
}

const brokenFault = (problem: string, cause?: unknown) =>
  reject('media_corrupt', { measured: `a PNG ${problem}`, limit: 'a whole PNG' }, undefined, cause)
