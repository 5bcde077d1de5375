import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type Catalog, type CatalogFiles, loadCatalog } from '../catalog/load-catalog'
import { isPublished } from './publish-catalog'
import type { PublishedView } from './published-view'

const visibleWithinMs = 10_000

export type KeepDeps = {
  files: CatalogFiles
  /** Loaded at startup, so that faulty files stop the service before it serves. */
  first: Catalog
  publish: (catalog: Catalog) => Promise<void>
  published: Omit<PublishedView, 'stop'>
  checkFilesEveryMs: number
  log: Pick<Log, 'error' | 'warn'>
}

/**
 * Publishes at startup and on file changes only: replicas with different files would else overwrite each other forever.
 * A change waits until the topic shows the last publication. Faulty files change nothing.
 */
export function keepPublished({ files, first, publish, published, checkFilesEveryMs, log }: KeepDeps) {
  const stopping = new AbortController()
  let pending: Catalog | undefined = first
  let last: { catalog: Catalog; atMs: number } | undefined
  let lastFingerprint = fingerprint(files)
  let areFilesValid = true

  function reloadChangedFiles(): void {
    const now = fingerprint(files)
    if (now === lastFingerprint) return
    lastFingerprint = now
    try {
      pending = loadCatalog(files)
      areFilesValid = true
    } catch (error) {
      areFilesValid = false
      log.error({ err: error }, 'changed catalog files are invalid; the published catalog stays in force')
    }
  }

  /** Another replica may replace it meanwhile, so the wait is bounded. */
  const isLastVisible = () => !last || isPublished(published, last.catalog) || performance.now() - last.atMs > visibleWithinMs

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      reloadChangedFiles()
      if (pending && published.ready() && isLastVisible()) {
        const catalog = pending
        const done = await publish(catalog).then(
          () => true,
          error => void log.warn({ err: error }, 'catalog not published'),
        )
        if (done) last = { catalog, atMs: performance.now() }
        if (done && pending === catalog) pending = undefined
        failures = done ? 0 : failures + 1
      }
      await pause(failures === 0 ? checkFilesEveryMs : backoffMs(failures, checkFilesEveryMs, 5_000), stopping.signal)
    }
  }

  const running = run()
  return {
    /** Whether this process has published once. */
    published: () => last !== undefined,
    /** Whether the current files are valid. */
    areFilesValid: () => areFilesValid,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Names, sizes and times of all files; an unreadable folder counts as empty. */
function fingerprint({ cardDirs, priceFiles }: CatalogFiles): string {
  const paths = [
    ...cardDirs.flatMap(dir => undefinedIfUnreadable(() => readdirSync(dir).map(name => join(dir, name))) ?? []),
    ...priceFiles,
  ]
  const stamp = (path: string) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  }
  return paths.map(path => undefinedIfUnreadable(() => stamp(path)) ?? path).join('\n')
}

function undefinedIfUnreadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
