/** The byte limit that all files of a task share. */
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
