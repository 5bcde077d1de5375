/** A fault of the machine or of the call, said in one sentence that tells what to do. Anything else is a bug and shows its stack. */
export class StackFault extends Error {}

/** Node's own words for the faults a newcomer can cure, turned into what to do about them. */
export function explain(error: unknown): string {
  if (error instanceof StackFault) return error.message
  const { code, path } = (error ?? {}) as { code?: string; path?: string }
  if (code === 'ENOSPC')
    return `The disk is full${path ? ` (writing ${path})` : ''}: free a few hundred megabytes and run the command again.`
  if (code === 'EACCES' || code === 'EPERM')
    return `No permission for ${path ?? 'a file of the stack'}: run the command as the user who owns this checkout.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
