/** Lines are short and many: so many characters of them go out at once. */
const chunkLength = 32_768

/** JSON Lines, told as they are asked for. What can't be begun throws here; what breaks later cuts the download, so that a browser shows that it failed. */
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
