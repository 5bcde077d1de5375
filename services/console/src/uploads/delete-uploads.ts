import type { ObjectStore } from '@filmgate/kit/object-store'

type Deps = { uploadStore: Pick<ObjectStore, 'list' | 'remove'>; now: () => Date }

/** Inputs are read within minutes of a request. Older uploads are unused. */
export const uploadsKeptMs = 86_400_000
/** Per run; the next run continues after them. */
const pagesMax = 50

/** Deletes uploads older than a day. Returns where the next run starts; '' after the end was reached. */
export async function deleteUploads({ uploadStore, now }: Deps, after = ''): Promise<string> {
  const before = now().getTime() - uploadsKeptMs
  let last = after
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await uploadStore.list('', last)
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    await uploadStore.remove(old.map(({ key }) => key))
    last = page.at(-1)?.key ?? ''
    if (last === '') break
  }
  return last
}

/** A function whose runs continue where the last one stopped. */
export function uploadSweep(deps: Deps): () => Promise<void> {
  let after = ''
  return async function sweepUploads() {
    after = await deleteUploads(deps, after)
  }
}
