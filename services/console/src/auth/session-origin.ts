type SignInMethod = 'password' | 'passkey' | 'oidc' | 'link'
type SessionOrigin = { openedBy?: SignInMethod | null; codeGiven?: boolean | null }
type Call = { path?: string; context?: { session?: { session: Record<string, unknown> } | null } } | null

/** Session columns that only the console sets. */
export const sessionOriginFields = {
  openedBy: { type: 'string', required: false, input: false, fieldName: 'opened_by' },
  codeGiven: { type: 'boolean', required: false, input: false, fieldName: 'code_given' },
} as const

const methodByPath: Record<string, SignInMethod> = {
  '/sign-in/email': 'password',
  '/passkey/verify-authentication': 'passkey',
  '/callback/:id': 'oidc',
}

/**
 * Records the method that a new session was opened with, derived from the better-auth endpoint. A session that replaces
 * the person's current one (after enabling codes or a password change) inherits its values.
 */
export function sessionOrigin(given: Record<string, unknown>, call: Call): SessionOrigin {
  const session = given as SessionOrigin
  const path = call?.path ?? ''
  const method = methodByPath[path]
  if (method) return { openedBy: method, codeGiven: false }
  const previous = call?.context?.session?.session as SessionOrigin | undefined
  const isCode = path.startsWith('/two-factor/verify-')
  const by = session.openedBy ?? previous?.openedBy ?? (isCode && !previous ? 'password' : null)
  return { openedBy: by, codeGiven: isCode || (session.codeGiven ?? previous?.codeGiven ?? false) }
}
