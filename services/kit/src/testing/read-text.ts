/** How tests of the bus read a message; the word `unreadable` stands for bytes that mean nothing. */
export function readText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  if (text === 'unreadable') throw new Error('these bytes mean nothing')
  return text
}
