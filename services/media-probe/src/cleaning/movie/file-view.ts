import { open } from 'node:fs/promises'

/** Reads and overwrites a file at offsets; never returns bytes past its end. */
export type FileView = {
  size: number
  read(offset: number, bytes: number): Promise<Buffer>
  overwrite(offset: number, bytes: Buffer): Promise<void>
}

export async function withFile<T>(path: string, use: (file: FileView) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r+')
  try {
    const { size } = await handle.stat()
    return await use({
      size,
      async read(offset, bytes) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, size - offset)))
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
        return buffer.subarray(0, bytesRead)
      },
      async overwrite(offset, bytes) {
        await handle.write(bytes, 0, bytes.length, offset)
      },
    })
  } finally {
    await handle.close()
  }
}
