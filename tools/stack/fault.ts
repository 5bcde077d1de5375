/**
 * A fault of the machine or of the arguments; the message says what to do. Other errors are bugs and show a stack
 * trace.
 */
export class StackFault extends Error {}

/** Turns common Node errors into instructions. */
export function explain(error: unknown): string {
  if (error instanceof StackFault) return error.message
  const { code, path } = (error ?? {}) as { code?: string; path?: string }
  if (code === 'ENOSPC')
    return `The disk is full${path ? ` (writing ${path})` : ''}: free a few hundred megabytes and run the command again.`
  if (code === 'EACCES' || code === 'EPERM')
    return `No permission for ${path ?? 'a file of the stack'}: run the command as the user who owns this checkout.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
