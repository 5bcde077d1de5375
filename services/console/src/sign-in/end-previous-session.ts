import { deleteSession } from '../auth/session-repository'
import type { SignInDeps } from './deps'

/** A sign-in starts a new session. The browser's previous session ends, whoever it belonged to. */
export async function endPreviousSession({ findPerson, sql }: Pick<SignInDeps, 'findPerson' | 'sql'>, request: Request): Promise<void> {
  const previous = await findPerson(request)
  if (previous) await deleteSession(sql, previous.sessionId)
}
