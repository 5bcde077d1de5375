import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { FalStorage } from '../fal/storage'
import type { GenerationStore } from '../generation/generation-store'
import type { Images } from '../pixverse/images'

export type SweepDeps = {
  store: GenerationStore
  storage: Pick<FalStorage, 'sweep'>
  images: Pick<Images, 'sweep'>
  outputDir: string
  log: Pick<Log, 'info'>
}

/** Forgets what is past its retention and deletes every file nobody can ask for any more. */
export function sweep({ store, storage, images, outputDir, log }: SweepDeps): void {
  storage.sweep()
  images.sweep()
  const forgotten = store.forgetOld()
  const orphans = readdirSync(outputDir).filter(file => !store.find(file.replace(/\.mp4$/, '')))
  for (const file of orphans) rmSync(join(outputDir, file), { force: true })
  if (forgotten.length > 0) log.info({ generations: forgotten.length, files: orphans.length }, 'forgot old generations')
}
