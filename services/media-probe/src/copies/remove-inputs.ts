import type { ObjectStore } from '@filmgate/kit/object-store'
import { inputPrefix } from './object-keys'

/** Removes every copy of a task, incomplete uploads included. */
export async function removeInputs(store: ObjectStore, taskId: string, now: Date): Promise<void> {
  const prefix = inputPrefix(taskId)
  await store.abandonUploads(prefix, now)
  for (;;) {
    const found = await store.list(prefix)
    if (found.length === 0) return
    await store.remove(found.map(({ key }) => key))
  }
}
