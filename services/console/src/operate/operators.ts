import { readFileSync } from 'node:fs'
import { type Role, roles } from '@filmgate/kit/environment/operator-environment'
import { followFiles } from '@filmgate/kit/process/follow-files'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FindPerson, Person } from '../http/person'

export type OperatorEntry = { email: string; role: Role }

/** The people who may open the operators' pages. */
export type OperatorList = {
  /** Undefined for everybody else, and for unconfirmed addresses. */
  roleOf(person: Pick<Person, 'email' | 'emailVerified'>): Promise<Role | undefined>
}

const checkEveryMs = 1_000

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

/** Parses the JSON list of operators. Throws with the path of each fault. An address may occur once. */
export function readOperators(text: string): OperatorEntry[] {
  const value: unknown = JSON.parse(text)
  if (!Value.Check(Listed, value))
    throw new Error([...Value.Errors(Listed, value)].map(({ path, message }) => `${path || '/'}: ${message}`).join('\n'))
  const operators = value.map(({ email, role }) => ({ email: email.toLowerCase(), role }))
  if (new Set(operators.map(({ email }) => email)).size < operators.length) throw new Error('duplicate e-mail address')
  return operators
}

/** The operators of the variable or the file. Changes of the file apply after about a second. */
export function watchOperators({ list, file }: { list: string | undefined; file: string | undefined }, log: Log): OperatorList {
  let operators = list === undefined ? [] : readOperators(list)
  const follower = followFiles({
    files: () => (file === undefined ? [] : [file]),
    inForce: file === undefined,
    putInForce() {
      operators = readOperators(readFileSync(file ?? '', 'utf8'))
      log.info({ operators: operators.map(({ email, role }) => `${email} (${role})`) }, 'operators file loaded')
    },
    refused: error => log.error({ err: error, file }, 'operators file is invalid; the previous operators stay in force'),
  })
  let checkedAt = Number.NEGATIVE_INFINITY
  return {
    async roleOf({ email, emailVerified }) {
      if (file !== undefined && performance.now() - checkedAt >= checkEveryMs) {
        checkedAt = performance.now()
        await follower.look()
      }
      return emailVerified ? operators.find(one => one.email === email.toLowerCase())?.role : undefined
    },
  }
}

/** Adds the operator role to the person of a session. */
export const withOperatorRole =
  (findPerson: FindPerson, operators: OperatorList): FindPerson =>
  async request => {
    const person = await findPerson(request)
    const operatorRole = person && (await operators.roleOf(person))
    return person && operatorRole ? { ...person, operatorRole } : person
  }
