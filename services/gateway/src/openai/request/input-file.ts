import { createHash } from 'node:crypto'

/** A picture of a form, by what its first bytes say: what a client calls it is often nothing at all. */
export type InputFile = { id: string; type: string; ending: string; body: Uint8Array }

/** The first bytes in hexadecimal, as its format begins. */
const formats: { type: string; ending: string; form: RegExp }[] = [
  { type: 'image/png', ending: 'png', form: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', ending: 'jpg', form: /^ffd8ff/ },
  { type: 'image/webp', ending: 'webp', form: /^52494646.{8}57454250/ },
]
const headBytes = 12

/** Undefined where it is no picture that any card takes. The same file of an account has the same id, so a retry names the same URL. */
export function inputFile(accountId: string, body: Uint8Array): InputFile | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(headBytes, body.byteLength)).toString('hex')
  const found = formats.find(({ form }) => form.test(head))
  return found && { id: idOf(accountId, body), type: found.type, ending: found.ending, body }
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idCharacters = 22

function idOf(accountId: string, body: Uint8Array): string {
  let rest = BigInt(`0x${createHash('sha256').update(`${accountId}\n`).update(body).digest('hex')}`)
  let id = ''
  for (let place = 0; place < idCharacters; place++) {
    id += letters[Number(rest % 62n)]
    rest /= 62n
  }
  return id
}
