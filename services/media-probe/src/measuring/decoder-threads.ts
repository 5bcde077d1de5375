/** ffmpeg's own maximum. */
const threadsMax = 16
/** Each decoder thread holds about two more frames; the threads beyond the first may use this much memory. */
const threadsBytesMax = 268_435_456
const framesPerThread = 2

/** Cores + 1, as in ffmpeg, and fewer for large pictures: memory must not depend on the number of a node's cores. */
export function decoderThreads(
  { coresMax }: { coresMax: number },
  picture: { width: number; height: number; pixelFormat: string },
): number {
  const affordable = 1 + Math.floor(threadsBytesMax / (framesPerThread * frameBytes(picture)))
  return Math.min(coresMax + 1, affordable, threadsMax)
}

/** Bytes of a decoded picture in one of the pixel formats that measure-video accepts. */
function frameBytes({ width, height, pixelFormat }: { width: number; height: number; pixelFormat: string }): number {
  const samplesPerPixel = pixelFormat.startsWith('yuva') ? 4 : /444|gbrp/.test(pixelFormat) ? 3 : /422/.test(pixelFormat) ? 2 : 1.5
  const bytesPerSample = /1[02]le$/.test(pixelFormat) ? 2 : 1
  return width * height * samplesPerPixel * bytesPerSample
}
