/**
 * Text of others for a terminal: without control characters and marks that turn the direction of writing, so that a name
 * or a message can neither move the cursor nor hide what it says. Line ends stay where `lines` is set.
 */
export function plain(text: unknown, { lines = false } = {}): string {
  const cleaned = String(text).replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, found => (lines && found === '\n' ? found : '\ufffd'))
  return cleaned
}
