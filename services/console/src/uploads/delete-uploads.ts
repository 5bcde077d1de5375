import type { ObjectStore } from '@filmgate/kit/object-store'

type Deps = { uploadStore: Pick<ObjectStore, 'list' | 'remove'>; now: () => Date }

/** A request reads its inputs within minutes; what lies longer was put there for nothing, or is done with. */
export const uploadsKeptMs = 86_400_000
/** Of one round; the next goes on behind it. */
const pagesMax = 50

/** Deletes uploads older than a day. Returns where the next round begins: at the beginning again once the end was reached. */
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

/** Rounds that each go on behind where the last one stopped. */
export function uploadSweep(deps: Deps): () => Promise<void> {
  let after = ''
  return async function sweepUploads() {
    after = await deleteUploads(deps, after)
  }
}
