import { Failure } from '@filmgate/kit/failure'
import { createLocalBucket } from '@filmgate/kit/request/local-bucket'
import type { Reason } from '../errors'
import type { FindPerson, Person } from '../http/person'

/**
 * Refuses (429) the requests of a person beyond `perMinute` in any 60 s, on every route that asks who is signed in. Each
 * replica counts by itself, because a write for each request would cost more than most of them do.
 */
export function limitPerson(findPerson: FindPerson, perMinute: number): FindPerson {
  const { take } = createLocalBucket(perMinute)
  const limited = new WeakMap<Request, Promise<Person | undefined>>()

  async function findLimited(request: Request): Promise<Person | undefined> {
    const person = await findPerson(request)
    const token = person && take(person.id)
    if (!token || token.taken) return person
    const seconds = Math.max(1, Math.ceil(token.waitMs / 1_000))
    throw new Failure<Reason>('too_many', {
      retryAfterSeconds: seconds,
      message: `Too many requests within a minute. Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
    })
  }

  return request => {
    const finding = limited.get(request) ?? findLimited(request)
    limited.set(request, finding)
    return finding
  }
}
