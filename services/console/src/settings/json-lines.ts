/** Lines are short, so they are sent in chunks of this many characters. */
const chunkLength = 32_768

/** JSON Lines, some lines a part. */
export async function* jsonLines(lines: AsyncGenerator<object>): AsyncGenerator<string, void> {
  let chunk = ''
  for await (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

export const jsonLinesType = 'application/jsonl'
