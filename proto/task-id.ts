// Crockford's base32, lower case: no i, l, o, u.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const timeShift = 80n

/** `vt_` and the 26 base32 characters of a UUIDv7: ids sort by the time they were made. */
export function taskIdOf(uuid: bigint): string {
  let rest = uuid
  let digits = ''
  for (let place = 0; place < 26; place++) {
    digits = alphabet[Number(rest & 31n)] + digits
    rest >>= 5n
  }
  return `vt_${digits}`
}

/** What the first id of that moment would be; for comparing only. */
export const taskIdAt = (at: Date): string => taskIdOf(BigInt(Math.max(0, at.getTime())) << timeShift)

/** When its gateway made this id, in ms since 1970, which is when its POST was recorded. Undefined for what is no task's id. */
export function taskIdTimeMs(id: string): number | undefined {
  if (!/^vt_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return undefined
  return [...id.slice(3, 13)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0)
}

/** A task that changed after `since` and began at most so long before it: none runs longer, but one that waits in review. */
export const replayedTaskAgeMs = 86_400_000

/** Tasks behind this id are replayed for what changed after `since`. */
export const oldestReplayed = (since: Date): string => taskIdAt(new Date(since.getTime() - replayedTaskAgeMs))
