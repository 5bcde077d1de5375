import { canInstallDebian, installDebian } from '@filmgate/tools/stack/fetch/package-client'
import { findChromium } from '../support/browser/chromium'

/** What reads copies more strictly than ffmpeg does, and what writes metadata; Debian's package of each. */
const readers = {
  cjpeg: 'libjpeg-turbo-progs',
  djpeg: 'libjpeg-turbo-progs',
  pngcheck: 'pngcheck',
  webpinfo: 'webp',
  mpg123: 'mpg123',
  mp3val: 'mp3val',
  sox: 'sox',
  exiftool: 'libimage-exiftool-perl',
}
const judgeCopies = ['corpus', 'metadata', 'readings']

/** What the parts need beside ffmpeg: a counter of packets, strict readers. Debian's packages bring them, where we may install some. */
export async function ensureTools(parts: readonly string[]): Promise<void> {
  process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`
  if (process.platform !== 'linux') throw new Error('test:media counts packets in a network namespace: run it on Linux')
  for (const tool of ['ffmpeg', 'ip', 'unshare']) if (!Bun.which(tool)) throw new Error(`${tool} was not found: install it`)
  const judging = parts.some(part => judgeCopies.includes(part))
  const wanted: Record<string, string> = { nft: 'nftables', ...(judging ? readers : {}) }
  for (const [tool, name] of Object.entries(wanted)) {
    if (Bun.which(tool)) continue
    if (!canInstallDebian()) throw new Error(`${tool} was not found: install ${name}`)
    await installDebian(name)
  }
  if (judging && !(await findChromium())) throw new Error('chromium was not found: install it')
}
