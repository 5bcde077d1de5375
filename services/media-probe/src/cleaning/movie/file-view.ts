import { open } from 'node:fs/promises'

/** Reads a file at offsets; never returns bytes past its end. */
export type FileView = { size: number; read(offset: number, bytes: number): Promise<Buffer> }

export async function withFile<T>(path: string, use: (file: FileView) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    return await use({
      size,
      async read(offset, bytes) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, size - offset)))
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await handle.close()
  }
}
