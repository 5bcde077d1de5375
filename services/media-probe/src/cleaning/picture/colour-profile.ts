/** Printing profiles have 3 MiB; no provider reads larger ones. */
export const profileBytesMax = 8 * 1024 * 1024
const profileHeaderBytes = 128

/** An ICC profile, truncated to its declared length; undefined if it is invalid, as viewers would ignore it. */
export function readProfile(bytes: Buffer): Buffer | undefined {
  if (bytes.length < profileHeaderBytes + 4 || bytes.length > profileBytesMax) return undefined
  if (bytes.toString('latin1', 36, 40) !== 'acsp') return undefined
  const length = bytes.readUInt32BE(0)
  return length >= profileHeaderBytes + 4 && length <= bytes.length ? bytes.subarray(0, length) : undefined
}
