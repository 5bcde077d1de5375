import type { Role as OperatorRole } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

/** Who is signed in. `address` is the request's, for the log of acts. */
export type Person = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  sessionId: string
  address: string | null
  /** Of those who operate Filmgate. */
  operatorRole?: OperatorRole
}

/** Reads the session's cookie. `undefined`: nobody is signed in. */
export type FindPerson = (request: Request) => Promise<Person | undefined>

export type PersonDeps = { findPerson: FindPerson }

/** Routes behind it have `person`; whoever is signed out is led to the sign-in, or told 401 where a script asks. */
export const signedIn = (deps: PersonDeps) =>
  new Elysia({ name: 'signed-in' }).derive({ as: 'scoped' }, async function requireSignedIn({ request }): Promise<{ person: Person }> {
    return { person: await requirePerson(deps, request) }
  })

export async function requirePerson({ findPerson }: PersonDeps, request: Request): Promise<Person> {
  const person = await findPerson(request)
  if (!person) throw new Failure<Reason>('signed_out')
  return person
}
