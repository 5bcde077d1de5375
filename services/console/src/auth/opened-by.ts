type Way = 'password' | 'passkey' | 'oidc' | 'link'
type Opened = { openedBy?: Way | null; codeGiven?: boolean | null }
type Call = { path?: string; context?: { session?: { session: Record<string, unknown> } | null } } | null

/** Columns of a session that the library keeps for us, and takes from nobody. */
export const openedFields = {
  openedBy: { type: 'string', required: false, input: false, fieldName: 'opened_by' },
  codeGiven: { type: 'boolean', required: false, input: false, fieldName: 'code_given' },
} as const

const ways: Record<string, Way> = {
  '/sign-in/email': 'password',
  '/passkey/verify-authentication': 'passkey',
  '/callback/:id': 'oidc',
}

/**
 * What a session that the library opens was opened with, by which of its endpoints did it. A new one in the place of the person's own (codes were
 * turned on, the password was changed) goes on with what that one had.
 */
export function openedBy(given: Record<string, unknown>, call: Call): Opened {
  const session = given as Opened
  const path = call?.path ?? ''
  const way = ways[path]
  if (way) return { openedBy: way, codeGiven: false }
  const former = call?.context?.session?.session as Opened | undefined
  const isCode = path.startsWith('/two-factor/verify-')
  const by = session.openedBy ?? former?.openedBy ?? (isCode && !former ? 'password' : null)
  return { openedBy: by, codeGiven: isCode || (session.codeGiven ?? former?.codeGiven ?? false) }
}
