/** What a task says of its cost. */
type Cost = { id: string; status: string; credits_used: number; credits_refunded: number; billing_status?: string | undefined }

/** Credits of one video, by its idempotency key. `price`: what was held at first. `final`: nothing of it is expected to change any more. */
type Entry = { price: number; credits: number; taskId: string | undefined; final: boolean; heldAt: number }
export type OpenEntry = { key: string; taskId: string | undefined; heldMs: number }
export type Budget = ReturnType<typeof createBudget>

/**
 * The credits that this process may spend for one API key. They are held before a request is sent, so that calls at once can't pass the
 * limit together. A refusal frees them, a task's own cost replaces them, and a refund gives them back.
 */
export function createBudget({ credits, now = Date.now }: { credits: number; now?: () => number }) {
  const entries = new Map<string, Entry>()
  const spent = () => [...entries.values()].reduce((sum, entry) => sum + entry.credits, 0)
  const left = () => credits - spent()
  const counts = (key: string) => (entries.get(key)?.credits ?? 0) > 0

  function see(entry: Entry, task: Cost): void {
    entry.taskId = task.id
    entry.credits = task.credits_used - task.credits_refunded
    entry.final = task.status !== 'processing' && (task.billing_status === 'settled' || task.billing_status === 'refunded')
  }

  return {
    credits,
    spent,
    left,
    /** Whether a key holds or has cost credits. One that was released or refunded doesn't, and may make another task. */
    counts,
    /** What was last held under a key of this process; undefined where it has sent none. */
    priceOf: (key: string): number | undefined => entries.get(key)?.price,

    /** False where that is more than is left. A key that counts holds no more. */
    hold(key: string, price: number): boolean {
      if (counts(key)) return true
      if (price > left()) return false
      entries.set(key, { price, credits: price, taskId: undefined, final: false, heldAt: now() })
      return true
    },

    /** Nothing was charged under this key. What has a task stays: only the task says what it cost. */
    release(key: string): void {
      const entry = entries.get(key)
      // It stays known, so that a task that turns up all the same is counted.
      if (entry && entry.taskId === undefined) Object.assign(entry, { credits: 0, final: true })
    },

    /** The task of a key: its cost takes the place of what is held. */
    settle(key: string, task: Cost): void {
      const entry = entries.get(key) ?? { price: task.credits_used, credits: 0, taskId: undefined, final: false, heldAt: now() }
      entries.set(key, entry)
      see(entry, task)
    },

    /** Any task that is read: those of others change nothing. */
    saw(task: Cost): void {
      for (const entry of entries.values()) if (entry.taskId === task.id) see(entry, task)
    },

    /** What may still give credits back. */
    open: (): OpenEntry[] =>
      [...entries].flatMap(([key, { taskId, final, heldAt }]) => (final ? [] : [{ key, taskId, heldMs: now() - heldAt }])),
  }
}
