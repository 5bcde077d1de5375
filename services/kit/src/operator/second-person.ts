import { Failure } from '../failure'
import { holderOf } from './holder'
import { operatorName } from './operator-name'

const address = /^[^\s@]+@[^\s@]+$/

const addressNeeded =
  'Above the limit operators are told apart by their e-mail addresses: ask with a token whose name is one. Nothing was done.'

/**
 * Which person an operator's name means: their e-mail address, in whatever letters. Undefined for any other name: the console knows the same
 * person by their address, so that one could be two.
 */
export function personOf(name: string): string | undefined {
  const folded = name.trim().toLowerCase()
  return address.test(folded) ? folded : undefined
}

/**
 * Who asks for an action that needs a second operator, or approves it: an e-mail address that the token vouches for (403). With the shared token,
 * or with a name beside the address, one person could be two.
 */
export function provenName(request: Request, by?: string): string {
  const name = operatorName(request, by)
  if (holderOf(request)?.name === undefined) throw new Failure<'second_person_required'>('second_person_required')
  if (personOf(name) === undefined) throw new Failure<'second_person_required'>('second_person_required', { message: addressNeeded })
  return name
}
