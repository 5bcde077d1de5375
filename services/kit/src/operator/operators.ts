import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type OperatorSettings, type Role, roles } from '../environment/operator-environment'
import { every } from '../process/every'
import { followFiles } from '../process/follow-files'
import type { Component } from '../process/run'
import { words } from '../request/text'
import type { Log } from '../telemetry/log'
import { gauge } from '../telemetry/metrics'

/** Who holds a token. The shared one has no name: whoever uses it says theirs. */
export type Operator = { name: string | undefined; role: Role; actsForOthers: boolean }

export type Operators = {
  /** Whose token this is; undefined where it is nobody's. */
  find(token: string): Operator | undefined
  /** All of them, without their tokens. */
  list(): Operator[]
}

type Holding = { digest: Buffer; operator: Operator }

const lookEveryMs = 1_000

const Listed = Type.Object(
  {
    operators: Type.Array(
      Type.Object(
        {
          name: words(200),
          role: Type.Union(roles.map(role => Type.Literal(role))),
          token_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          acts_for_others: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000 },
    ),
  },
  { additionalProperties: false },
)

/**
 * The operators of a service: the shared token's, and those of the file, which is looked at every second. A file with a slip leaves those
 * in force that are, and at the start the shared token alone: what operators may do keeps no client from being served.
 */
export function followOperators({ tokens, tokenRole, file }: OperatorSettings, log: Log) {
  const operator = { name: undefined, role: tokenRole, actsForOthers: true }
  const shared: Holding[] = tokens.map(token => ({ digest: digestOf(token), operator }))
  let holdings = shared
  const follower = followFiles({
    files: () => (file === undefined ? [] : [file]),
    inForce: file === undefined,
    putInForce() {
      const listed = readOperators(readFileSync(file ?? '', 'utf8'))
      if (listed.some(({ digest }) => shared.some(each => each.digest.equals(digest))))
        throw new Error('the shared token stands among the operators')
      holdings = [...shared, ...listed]
      log.info({ operators: listed.map(({ operator: { name, role } }) => `${name} (${role})`) }, 'operators file loaded')
    },
    refused: error => log.error({ err: error, file }, 'operators file is invalid; the previous operators stay in force'),
  })
  gauge('operators_file_faulty', '1 while the file of operators has a slip and those of before stay in force', () =>
    follower.faulty() ? 1 : 0,
  )
  const following = every(lookEveryMs, follower.look, { log, name: 'look at the operators' })
  const operators: Operators = {
    find: token => holderAmong(holdings, token),
    list: () => [...new Set(holdings.map(({ operator }) => operator))],
  }
  const component: Component = { name: 'operators', stop: following.stop }
  return { operators, component }
}

/** Every digest is compared, each in a time that does not show where it differs. */
function holderAmong(holdings: Holding[], token: string): Operator | undefined {
  const given = digestOf(token)
  let holder: Operator | undefined
  for (const { digest, operator } of holdings) if (timingSafeEqual(digest, given)) holder = operator
  return holder
}

/** The operators that the text of a file lists. Throws with the path of each fault; a name may hold several tokens, a token one name. */
export function readOperators(text: string): Holding[] {
  const value: unknown = JSON.parse(text)
  if (!Value.Check(Listed, value))
    throw new Error([...Value.Errors(Listed, value)].map(({ path, message }) => `${path || '/'}: ${message}`).join('\n'))
  const digests = value.operators.map(({ token_sha256 }) => token_sha256)
  if (new Set(digests).size < digests.length) throw new Error('a token_sha256 stands there twice')
  return value.operators.map(({ name, role, token_sha256, acts_for_others = false }) => ({
    digest: Buffer.from(token_sha256, 'hex'),
    operator: { name, role, actsForOthers: acts_for_others },
  }))
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
