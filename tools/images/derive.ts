import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { imageDir } from './build'
import { docker, withEngine } from './engine'

/** Adds files to an image and saves it as `bun run images` does. */
export async function deriveImage(from: string, reference: string, files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-image-'))
  try {
    for (const source of Object.values(files)) cpSync(source, join(folder, basename(source)))
    const copies = Object.entries(files).map(([target, source]) => `COPY ${basename(source)} ${target}`)
    writeFileSync(join(folder, 'Dockerfile'), [`FROM ${from}`, ...copies, ''].join('\n'))
    const archive = join(imageDir, `${reference.replaceAll(/[/:]/g, '-')}.tar`)
    await withEngine(async engine => {
      await docker(engine, `Building ${reference}`, ['build', '-t', reference, '.'], folder)
      await docker(engine, `Saving ${reference}`, ['save', '-o', archive, reference])
    })
    return archive
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
