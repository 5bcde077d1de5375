/** As ffmpeg's own count ends. */
const threadsMax = 16
/** A decoder of frames side by side holds about two more of them a thread; the threads beyond the first may cost this much. */
const threadsBytesMax = 268_435_456
const framesPerThread = 2

/**
 * One more than there are cores, as ffmpeg itself would, and fewer for large pictures: what a file costs in memory, and whether it
 * can be measured at all, must not depend on how many cores a node has.
 */
export function decoderThreads(
  { coresMax }: { coresMax: number },
  picture: { width: number; height: number; pixelFormat: string },
): number {
  const affordable = 1 + Math.floor(threadsBytesMax / (framesPerThread * frameBytes(picture)))
  return Math.min(coresMax + 1, affordable, threadsMax)
}

/** Of one decoded picture in one of the formats that measure-video lets through. */
function frameBytes({ width, height, pixelFormat }: { width: number; height: number; pixelFormat: string }): number {
  const samplesPerPixel = pixelFormat.startsWith('yuva') ? 4 : /444|gbrp/.test(pixelFormat) ? 3 : /422/.test(pixelFormat) ? 2 : 1.5
  const bytesPerSample = /1[02]le$/.test(pixelFormat) ? 2 : 1
  return width * height * samplesPerPixel * bytesPerSample
}
