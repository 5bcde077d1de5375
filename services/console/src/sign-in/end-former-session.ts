import { deleteSession } from '../auth/session-repository'
import type { SignInDeps } from './deps'

/** A sign-in begins a session of its own; the one that the browser held until then ends, whoever's it was. */
export async function endFormerSession({ findPerson, sql }: Pick<SignInDeps, 'findPerson' | 'sql'>, request: Request): Promise<void> {
  const former = await findPerson(request)
  if (former) await deleteSession(sql, former.sessionId)
}
