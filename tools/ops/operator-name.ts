import { OperatorRow } from '@filmgate/proto/operator/operator'
import { OpsFault } from './fault'
import { personalTokenPrefix } from './operator/create'
import { type Call, callFor } from './operator-api'

/** The name sent with a call: who is named, else who types; none where the token is a person's, for it has a name. */
export const nameSent = (by: string | undefined, token: string): string | undefined => by || (isPersonal(token) ? undefined : loginName())

/** Who does what is kept with a name: that of `nameSent`, or the token's, which the gateway tells. */
export async function nameFor(call: Call, by: string | undefined, token: string): Promise<string> {
  const name = nameSent(by, token) ?? (isPersonal(token) ? (await callFor(call, OperatorRow, 'gateway', 'GET', '/me')).name : undefined)
  if (!name) throw new OpsFault('Say who you are: --by NAME, or FILMGATE_OPERATOR. Every act is kept with its operator.')
  return name
}

const isPersonal = (token: string): boolean => token.startsWith(personalTokenPrefix)

/** Who types the command where nobody is named: the login name; undefined where the machine knows none, as in a container. */
function loginName(): string | undefined {
  const { USER, LOGNAME } = process.env
  return USER || LOGNAME || nameOfUser()
}

/** By the machine's list of users: the runtime's own answer is "unknown" where the environment names none. */
function nameOfUser(): string | undefined {
  const id = Bun.which('id')
  if (!id) return undefined
  const { exitCode, stdout } = Bun.spawnSync([id, '-un'], { stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() || undefined : undefined
}
