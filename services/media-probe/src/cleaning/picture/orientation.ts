const headerBytes = 8
const entryBytes = 12
/** Cameras write about twenty entries; longer directories are not read completely. */
const entriesMax = 1_000
const orientationTag = 0x0112
const [typeByte, typeShort, typeLong] = [1, 3, 4]

/** The orientation (1–8) in an EXIF block's first directory; undefined if it is absent or the block is broken. */
export function readOrientation(exif: Buffer): number | undefined {
  const order = exif.toString('latin1', 0, 4)
  if (exif.length < headerBytes || (order !== 'II*\0' && order !== 'MM\0*')) return undefined
  const little = order === 'II*\0'
  const u16 = (at: number) => (little ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const u32 = (at: number) => (little ? exif.readUInt32LE(at) : exif.readUInt32BE(at))
  const directory = u32(4)
  if (directory + 2 > exif.length) return undefined
  const entries = Math.min(u16(directory), entriesMax)
  for (let at = directory + 2; at < directory + 2 + entries * entryBytes && at + entryBytes <= exif.length; at += entryBytes) {
    if (u16(at) !== orientationTag) continue
    const type = u16(at + 2)
    const value = type === typeShort ? u16(at + 8) : type === typeLong ? u32(at + 8) : type === typeByte ? exif[at + 8] : 0
    return value !== undefined && value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** An EXIF block with the orientation as its only entry. */
export function writeExif(orientation: number): Buffer {
  const block = Buffer.alloc(headerBytes + 2 + entryBytes + 4)
  block.write('MM\0*', 'latin1')
  block.writeUInt32BE(headerBytes, 4)
  block.writeUInt16BE(1, 8)
  block.writeUInt16BE(orientationTag, 10)
  block.writeUInt16BE(typeShort, 12)
  block.writeUInt32BE(1, 14)
  block.writeUInt16BE(orientation, 18)
  return block
}
