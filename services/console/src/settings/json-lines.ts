/** Lines are short, so they are sent in chunks of this many characters. */
const chunkLength = 32_768

/**
 * Streams JSON Lines. A failure at the start throws; a later one aborts the download, so that the browser shows an
 * error.
 */
export async function jsonLines(lines: AsyncGenerator<object>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await lines.next()
  return new ReadableStream({
    async pull(controller) {
      let chunk = ''
      for (; !next.done && chunk.length < chunkLength; next = await lines.next()) chunk += `${JSON.stringify(next.value)}\n`
      if (chunk !== '') controller.enqueue(encoder.encode(chunk))
      else controller.close()
    },
    cancel: async () => void (await lines.return(undefined)),
  })
}

export const jsonLinesType = 'application/jsonl'
