import { readFileSync } from 'node:fs'
import { type Role, roles } from '@filmgate/kit/environment/operator-environment'
import { followFiles } from '@filmgate/kit/process/follow-files'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FindPerson, Person } from '../door/person'

export type NamedOperator = { email: string; role: Role }

/** The people who may open the operators' pages. */
export type NamedOperators = {
  /** Undefined for everybody else, and for an address that nobody proved to be theirs. */
  roleOf(person: Pick<Person, 'email' | 'emailVerified'>): Promise<Role | undefined>
}

const lookEveryMs = 1_000

const Listed = Type.Array(
  Type.Object(
    {
      email: Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 320 }),
      role: Type.Union(roles.map(role => Type.Literal(role))),
    },
    { additionalProperties: false },
  ),
  { maxItems: 1_000 },
)

/** The operators that a JSON list names. Throws with the path of each fault; an address stands there once. */
export function readOperators(text: string): NamedOperator[] {
  const value: unknown = JSON.parse(text)
  if (!Value.Check(Listed, value))
    throw new Error([...Value.Errors(Listed, value)].map(({ path, message }) => `${path || '/'}: ${message}`).join('\n'))
  const operators = value.map(({ email, role }) => ({ email: email.toLowerCase(), role }))
  if (new Set(operators.map(({ email }) => email)).size < operators.length) throw new Error('an e-mail address stands there twice')
  return operators
}

/** Those of the variable, or of the file, which is looked at again for whoever comes a second later: who is struck out of it is none any more. */
export function followOperators({ list, file }: { list: string | undefined; file: string | undefined }, log: Log): NamedOperators {
  let operators = list === undefined ? [] : readOperators(list)
  const follower = followFiles({
    files: file === undefined ? [] : [file],
    inForce: file === undefined,
    putInForce() {
      operators = readOperators(readFileSync(file ?? '', 'utf8'))
      log.info({ operators: operators.map(({ email, role }) => `${email} (${role})`) }, 'operators file loaded')
    },
    refused: error => log.error({ err: error, file }, 'operators file is invalid; the previous operators stay in force'),
  })
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    async roleOf({ email, emailVerified }) {
      if (file !== undefined && performance.now() - lookedAt >= lookEveryMs) {
        lookedAt = performance.now()
        await follower.look()
      }
      return emailVerified ? operators.find(one => one.email === email.toLowerCase())?.role : undefined
    },
  }
}

/** People as the session has them, with what they may do as operators. */
export const withOperatorRole =
  (findPerson: FindPerson, operators: NamedOperators): FindPerson =>
  async request => {
    const person = await findPerson(request)
    const operatorRole = person && (await operators.roleOf(person))
    return person && operatorRole ? { ...person, operatorRole } : person
  }
