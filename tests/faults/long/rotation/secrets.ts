import { randomBytes } from 'node:crypto'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import { type DatabaseOwner, databaseOwners } from '@filmgate/tools/stack/contents/database-owners'
import { databaseUrl } from '@filmgate/tools/stack/contents/databases'
import { openInstance } from '@filmgate/tools/stack/instance'
import { RedisClient } from 'bun'
import postgres from 'postgres'
import { instance as instanceName, settings } from '../../../support/settings'
import type { Rolled } from './rolled-services'

/** Secrets of ours: each has a former and a next value. */
export const ownSecrets = [
  'FILMGATE_KEY_PEPPER',
  'FILMGATE_CONSOLE_SECRET',
  'FILMGATE_CONSOLE_TOKEN',
  'FILMGATE_OPERATOR_TOKEN',
  'FILMGATE_WEBHOOKS_TOKEN',
  'FILMGATE_WEBHOOKS_SECRET_KEY',
  'FILMGATE_ATTEMPT_SECRET',
] as const
export type OwnSecret = (typeof ownSecrets)[number]
type Values = Record<OwnSecret, string>

const made = (): string => randomBytes(32).toString('base64url')
const redisUser = 'rotated'

/** The environment before a rotation, in each of its steps and after it; `take` does what a step asks of servers that are not ours. */
export type Rotation = {
  former: Values
  next: Values
  envOf(step: Step): (service: Rolled) => Record<string, string>
  take(step: Step): Promise<void>
  close(): Promise<void>
}
export type Step = 'former' | 'accept' | 'use' | 'remove'

export function createRotation(): Rotation {
  const stack = openInstance(instanceName, settings.portBase)
  const addresses = addressesOf(stack)
  const former: Values = {
    FILMGATE_KEY_PEPPER: stack.pepper,
    FILMGATE_CONSOLE_SECRET: stack.consoleSecret,
    FILMGATE_CONSOLE_TOKEN: stack.consoleToken,
    FILMGATE_OPERATOR_TOKEN: stack.operatorToken,
    FILMGATE_WEBHOOKS_TOKEN: stack.webhooksToken,
    FILMGATE_WEBHOOKS_SECRET_KEY: stack.webhooksSecretKey,
    FILMGATE_ATTEMPT_SECRET: stack.attemptSecret,
  }
  const next = Object.fromEntries(ownSecrets.map(name => [name, made()])) as Values
  const [password, redisFormer, redisNext] = [made(), made(), made()]
  const sql = postgres(settings.postgresUrl, { max: 1, onnotice: () => {} })
  const redis = new RedisClient(settings.redisUrl)
  const roleOf = (owner: DatabaseOwner) => new URL(databaseUrl(addresses, owner)).username
  const isNew = (step: Step) => step === 'use' || step === 'remove'

  function databaseEnv(service: Rolled, step: Step): Record<string, string> {
    const owner = databaseOwners.find(each => each === service)
    if (!owner || !isNew(step)) return {}
    const url = new URL(databaseUrl(addresses, owner))
    return { DATABASE_URL: Object.assign(url, { username: `${roleOf(owner)}_b`, password }).href }
  }

  const ownEnv = (step: Step): Record<string, string> => {
    const [current, accepted] = isNew(step) ? [next, former] : [former, next]
    return {
      ...current,
      ...((step === 'accept' || step === 'use') && Object.fromEntries(ownSecrets.map(name => [`${name}_ACCEPTED`, accepted[name]]))),
    }
  }

  return {
    former,
    next,
    envOf: step => service => ({
      ...ownEnv(step),
      ...databaseEnv(service, step),
      REDIS_URL: Object.assign(new URL(settings.redisUrl), { username: redisUser, password: isNew(step) ? redisNext : redisFormer }).href,
    }),
    async take(step) {
      if (step === 'former') await redis.send('ACL', ['SETUSER', redisUser, 'on', '~*', '&*', '+@all', `>${redisFormer}`])
      if (step === 'accept') {
        await redis.send('ACL', ['SETUSER', redisUser, `>${redisNext}`])
        for (const role of databaseOwners.map(roleOf)) {
          await sql.unsafe(`create role ${role}_b login password '${password}' in role ${role}`)
          await sql.unsafe(`alter role ${role}_b set role = ${role}`)
        }
      }
      if (step === 'remove') {
        await redis.send('ACL', ['SETUSER', redisUser, `<${redisFormer}`])
        for (const role of databaseOwners.map(roleOf)) await sql.unsafe(`alter role ${role} nologin`)
      }
    },
    async close() {
      await sql.end()
      redis.close()
    },
  }
}
