import type { Role as OperatorRole } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

/** The signed-in person. `address` is the request's IP address, for the audit log. */
export type Person = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  sessionId: string
  address: string | null
  /** Set if the person is an operator. */
  operatorRole?: OperatorRole
}

/** Finds the person of the session cookie; undefined if nobody is signed in. */
export type FindPerson = (request: Request) => Promise<Person | undefined>

export type PersonDeps = { findPerson: FindPerson }

/** Plugin that adds `person`. A signed-out visitor is redirected to the sign-in; a script gets 401. */
export const requireSignIn = (deps: PersonDeps) =>
  new Elysia({ name: 'require-sign-in' }).derive({ as: 'scoped' }, async function requireSignedIn({ request }): Promise<{
    person: Person
  }> {
    return { person: await requirePerson(deps, request) }
  })

export async function requirePerson({ findPerson }: PersonDeps, request: Request): Promise<Person> {
  const person = await findPerson(request)
  if (!person) throw new Failure<Reason>('signed_out')
  return person
}
