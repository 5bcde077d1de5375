import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** Shows lines as they come, each after the name of the form that says it. Resolves when there are no more. */
export async function showLines(name: string, lines: ReadableStream<Uint8Array>): Promise<void> {
  const web = lines as Parameters<typeof Readable.fromWeb>[0]
  for await (const line of createInterface({ input: Readable.fromWeb(web) })) if (line.trim()) console.log(`${name.padEnd(16)} ${line}`)
}
