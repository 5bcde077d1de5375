const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idCharacters = 22

/** The form of an upload's id; one of this form that is not the account's is not found. */
export const uploadIdForm = /^[A-Za-z0-9]{22}$/

/** 130 random bits, slightly more than a random UUID. It is the upload's name in its URL too. */
export function newUploadId(): string {
  let id = ''
  // Bytes beyond the last whole multiple of the alphabet are dropped, because they would favour its first letters.
  const fair = 256 - (256 % letters.length)
  while (id.length < idCharacters)
    for (const byte of crypto.getRandomValues(new Uint8Array(idCharacters)))
      if (byte < fair && id.length < idCharacters) id += letters[byte % letters.length]
  return id
}
