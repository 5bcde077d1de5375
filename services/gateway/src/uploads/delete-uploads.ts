import type { Sql } from '@filmgate/kit/database/postgres'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { uploadsKeptMs } from './open-upload'
import { deleteUploadRows } from './upload-repository'

type Deps = { store: Pick<ObjectStore, 'list' | 'remove'>; now: () => Date }

/** Per run; the next run continues after them. */
const pagesMax = 50

/** Deletes uploads older than a day. Returns where the next run starts; '' after the end was reached. */
export async function deleteUploads({ store, now }: Deps, after = ''): Promise<string> {
  const before = now().getTime() - uploadsKeptMs
  let last = after
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await store.list('', last)
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    await store.remove(old.map(({ key }) => key))
    last = page.at(-1)?.key ?? ''
    if (last === '') break
  }
  return last
}

/** A function whose runs continue where the last one stopped. */
export function uploadSweep(deps: Deps & { sql: Sql }): () => Promise<void> {
  let after = ''
  return async function sweepUploads() {
    after = await deleteUploads(deps, after)
    await deleteUploadRows(deps.sql, new Date(deps.now().getTime() - uploadsKeptMs))
  }
}
