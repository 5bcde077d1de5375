/** What encoders put in front of the sound and behind it, where no header says how much: LAME's is less than so many frames. */
const primingFramesMax = 3
const roundingSeconds = 0.001

/**
 * The length of a sound whose lead-in and tail can't be told from it: a whole second where the rest of it may be those, so that five seconds
 * don't become six.
 */
export function withoutPriming(seconds: number, frameSeconds: number): number {
  const rest = seconds - Math.floor(seconds)
  return rest > roundingSeconds && rest <= primingFramesMax * frameSeconds ? Math.floor(seconds) : seconds
}
