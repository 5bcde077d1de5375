import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cached } from './cached'
import { fetchPinned } from './fetch-pinned'
import { canInstallDebian, installDebian } from './package-client'

/**
 * ffmpeg and ffprobe: the machine's, else Debian's, else those of two npm packages (ffmpeg of 2018).
 * Returns folders to prepend to PATH.
 */
export async function fetchFfmpeg(): Promise<string[]> {
  if (onMachine()) return []
  if (canInstallDebian()) {
    // If the mirror is down, the npm packages have the same tools.
    await installDebian('ffmpeg').catch(() => undefined)
    if (onMachine()) return []
  }
  const dir = await cached('ffmpeg-npm', async filling => {
    writeFileSync(join(filling, 'package.json'), '{"private":true}')
    const packages = ['@ffmpeg-installer/ffmpeg@1.1.0', '@ffprobe-installer/ffprobe@2.1.2']
    const pinned = {
      pin: packages.join(' or '),
      pinnedIn: 'tools/stack/fetch/ffmpeg.ts',
      instead: 'install ffmpeg (on Debian: apt-get install ffmpeg), which is taken then',
    }
    await fetchPinned(pinned, [process.execPath, 'add', '-E', ...packages], { cwd: filling })
  })
  const platform = `linux-${process.arch}`
  return ['ffmpeg', 'ffprobe'].map(tool => dirname(join(dir, 'node_modules', `@${tool}-installer`, platform, tool)))
}

const onMachine = (): boolean => Bun.which('ffmpeg') !== null && Bun.which('ffprobe') !== null
