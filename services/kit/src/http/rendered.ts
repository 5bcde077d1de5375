/** An answer that stays the same for long. Blobs, because the runtime sends them without copying them. */
export type Rendered = { plain: Blob; gzipped: Blob; etag: string }

export function rendered(text: string): Rendered {
  const bytes = new TextEncoder().encode(text)
  // Of the bytes and not of what they were made of: another release may render the same otherwise.
  return { plain: new Blob([bytes]), gzipped: new Blob([Bun.gzipSync(bytes)]), etag: `"${Bun.hash(bytes).toString(16)}"` }
}
