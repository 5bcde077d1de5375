import { createHash, randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { consoleOf } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { run } from '../../support/servers/databases'
import type { Newcomer } from '../people/sign-up'

/** What a path can name of an account or of a person, by the word in the route. */
export type Things = Record<string, string>
export type Side = { accountId: string; things: Things; markers: string[] }

/** By a row: how one is invited is the journey's to prove. */
export const join = ({ email }: Newcomer, accountId: string, role: string) =>
  run('console', 'insert into membership (account_id, person_id, role) select $1, id, $2 from person where email = $3', [
    accountId,
    role,
    email,
  ])

/** One of everything, and what must not be seen of it elsewhere. */
export async function furnish(newcomer: Newcomer): Promise<Side> {
  const { accountId, email, name } = newcomer
  const mark = crypto.randomUUID().slice(0, 8)
  const [made, rows] = await Promise.all([makeByGateway(accountId, mark), insertRows(newcomer, mark)])
  const { invited, packName, passkeyName, ...ids } = rows
  const things = {
    id: accountId,
    key: made.key,
    task: made.task,
    endpoint: made.endpoint,
    input: '0',
    topic: 'filmgate.requests.v1.dlq',
    provider: 'simulator',
    paper: 'receipt',
    name: 'nothing.css',
    ...ids,
  }
  const { person, session, purchase, invitation, passkey, token } = ids
  const markers = [accountId, email, name, made.key, made.task, made.keyName, made.secret.slice(0, 16), made.prompt, made.endpointUrl]
  return { accountId, things, markers: [...markers, person, session, purchase, invitation, passkey, token, invited, packName, passkeyName] }
}

/** A key, a finished task and, where there are webhooks, an endpoint. */
async function makeByGateway(accountId: string, mark: string) {
  const gateway = consoleOf(accountId)
  const keyName = `key ${mark}`
  const { body } = await gateway.ask('POST', '/keys', { body: { name: keyName } })
  const { key_id: key, api_key: secret } = body as unknown as { key_id: string; api_key: string }
  const prompt = `${ownWords()} ${mark}`
  const task = (await gateway.generate({ model: 'alpha-h3', prompt, duration: 4, resolution: '768p' })).body.id
  await gateway.taskOnce(task)
  const endpointUrl = `https://${mark}.example.com/hook`
  const hook = await gateway.ask('POST', '/webhook-endpoints', { body: { url: endpointUrl } })
  return { key, keyName, secret, prompt, task, endpointUrl, endpoint: hook.body.id ?? 'whe_none' }
}

/** An unpaid purchase, a passkey that no device has, an invitation whose link works. */
async function insertRows({ accountId, email }: Newcomer, mark: string) {
  const [row] = await run<{ person: string; session: string }>(
    'console',
    'select person.id as person, session.id as session from person join session on person.id = person_id where email = $1',
    [email],
  )
  if (!row) throw new Error(`${email} is not signed in`)
  const { person, session } = row
  const [purchase, packName] = [uuidv7(), `pack ${mark}`]
  await run(
    'console',
    `insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode, state)
     values ($1, $2, $3, 'of-tests', 1, $4, 100, 100, 'usd', false, 'open')`,
    [purchase, accountId, person, packName],
  )
  const [passkey, passkeyName] = [uuidv7(), `passkey ${mark}`]
  await run(
    'console',
    `insert into passkey (id, person_id, name, public_key, credential_id, counter, device_type, backed_up)
     values ($1, $2, $3, 'none', $1, 0, 'singleDevice', false)`,
    [passkey, person, passkeyName],
  )
  const [invitation, invited, token] = [uuidv7(), `invited-${mark}@people.example`, randomBytes(32).toString('base64url')]
  await run(
    'console',
    `insert into invitation (id, account_id, email, role, token_hash, invited_by, expires_at)
     values ($1, $2, $3, 'viewer', decode($4, 'hex'), $5, now() + interval '1 day')`,
    [invitation, accountId, invited, createHash('sha256').update(token).digest('hex'), email],
  )
  return { person, session, purchase, packName, passkey, passkeyName, invitation, invited, token }
}
