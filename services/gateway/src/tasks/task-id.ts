import { uuidv7obj } from 'uuidv7'

// Crockford's base32, lower case: no i, l, o, u.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** `vt_` and the 26 base32 characters of a UUIDv7: ids sort by the time they were made. */
export const newTaskId = (): string => written(BigInt(`0x${uuidv7obj().toHex()}`))

const timeShift = 80n

/** What the first id of that moment would be; for comparing only. */
export const taskIdAt = (at: Date): string => written(BigInt(Math.max(0, at.getTime())) << timeShift)

function written(uuid: bigint): string {
  let rest = uuid
  let digits = ''
  for (let place = 0; place < 26; place++) {
    digits = alphabet[Number(rest & 31n)] + digits
    rest >>= 5n
  }
  return `vt_${digits}`
}

/** The form of a task id in the contract; an id of this form that is not ours is not found. */
export const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/
