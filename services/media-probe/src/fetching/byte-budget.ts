/** Bytes that all files of one task may have together. */
export type ByteBudget = { take(bytes: number): boolean; readonly bytesMax: number }

export function createByteBudget(bytesMax: number): ByteBudget {
  let taken = 0
  return {
    bytesMax,
    take(bytes) {
      taken += bytes
      return bytesMax === 0 || taken <= bytesMax
    },
  }
}
