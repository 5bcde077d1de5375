import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { profileBytesMax, readProfile } from '../picture/colour-profile'
import type { Chunk } from './chunks'

/** Colour chunks in the order in which they are written, with their required length. */
const fixed: [type: string, bytes: number][] = [
  ['cICP', 4],
  ['sRGB', 1],
  ['gAMA', 4],
  ['cHRM', 32],
  ['mDCV', 24],
  ['cLLI', 8],
]
const nameBytesMax = 79

/** The colour chunks before the pixels: the first of each type, and the profile instead of sRGB. */
export async function readPngColour(before: Chunk[]): Promise<{ type: string; data: Buffer }[]> {
  const found = fixed.flatMap(([type, bytes]) => before.find(chunk => chunk.type === type && chunk.data.length === bytes) ?? [])
  const profile = before.find(({ type }) => type === 'iCCP')
  const data = profile && (await rewriteProfile(profile.data))
  return data ? [...found.filter(({ type }) => type !== 'sRGB'), { type: 'iCCP', data }] : found
}

/** The profile under a neutral name. Undefined if it is invalid or inflates beyond the limit, as viewers ignore it. */
async function rewriteProfile(data: Buffer): Promise<Buffer | undefined> {
  const nameBytes = data.subarray(0, nameBytesMax + 1).indexOf(0)
  if (nameBytes < 1 || data[nameBytes + 1] !== 0) return undefined
  const inflated = await promisify(inflate)(data.subarray(nameBytes + 2), { maxOutputLength: profileBytesMax }).catch(() => undefined)
  const profile = inflated && readProfile(inflated)
  return profile && Buffer.concat([Buffer.from('icc\0\0', 'latin1'), await promisify(deflate)(profile)])
}
