import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { GenerationStore } from '../generation/generation-store'

/** Forgets what is past its retention and deletes every output nobody can ask for any more. */
export function sweep({ store, outputDir, log }: { store: GenerationStore; outputDir: string; log: Pick<Log, 'info'> }): void {
  const forgotten = store.forgetOld()
  const orphans = readdirSync(outputDir).filter(file => !store.find(file.replace(/\.mp4$/, '')))
  for (const file of orphans) rmSync(join(outputDir, file), { force: true })
  if (forgotten.length > 0) log.info({ generations: forgotten.length, files: orphans.length }, 'forgot old generations')
}
