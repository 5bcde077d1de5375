/** Profiles for printing take three; a larger one is no profile that a provider reads. */
export const profileBytesMax = 8 * 1024 * 1024
const profileHeaderBytes = 128

/** An ICC profile as long as it says it is; undefined where it is none, and a viewer would ignore it too. */
export function readProfile(bytes: Buffer): Buffer | undefined {
  if (bytes.length < profileHeaderBytes + 4 || bytes.length > profileBytesMax) return undefined
  if (bytes.toString('latin1', 36, 40) !== 'acsp') return undefined
  const length = bytes.readUInt32BE(0)
  return length >= profileHeaderBytes + 4 && length <= bytes.length ? bytes.subarray(0, length) : undefined
}
