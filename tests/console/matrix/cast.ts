import { createHash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { consoleOf } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { openDatabase } from '../../support/servers/databases'
import { type Newcomer, signUpByWire } from '../people/sign-up'
import { openWire, type Wire } from '../people/wire'

export const visitors = ['owner', 'member', 'viewer', 'stranger', 'signed out'] as const
export type VisitorName = (typeof visitors)[number]

/** What a path can name of an account, by the word in the route. */
export type Things = Record<string, string>
export type Side = { accountId: string; things: Things; markers: string[] }
export type Cast = {
  wires: Record<VisitorName, Wire>
  people: Record<'owner' | 'member' | 'viewer' | 'stranger' | 'other', Newcomer>
  own: Side
  foreign: Side
  /** The stranger's own account. */
  strangers: Side
}

/** Two accounts with one of everything, the people of the first, and one who belongs to neither. */
export async function gatherCast(): Promise<Cast> {
  const [owner, member, viewer, stranger, other] = await Promise.all(['Olga', 'Mina', 'Vera', 'Sten', 'Fred'].map(signUpByWire))
  if (!owner || !member || !viewer || !stranger || !other) throw new Error('somebody did not sign up')
  const people = { owner, member, viewer, stranger, other }
  await Promise.all([join(member, owner.accountId, 'member'), join(viewer, owner.accountId, 'viewer')])
  const [own, foreign, strangers] = await Promise.all([furnish(owner), furnish(other), furnish(stranger)])
  const wires = { owner: owner.wire, member: member.wire, viewer: viewer.wire, stranger: stranger.wire, 'signed out': openWire() }
  return { wires, people, own, foreign, strangers }
}

async function withConsole<T>(work: (sql: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const sql = openDatabase('console')
  return work(sql).finally(() => sql.end())
}

/** By a row: how one is invited is the journey's to prove. */
const join = ({ email }: Newcomer, accountId: string, role: string) =>
  withConsole(
    sql => sql`insert into membership (account_id, person_id, role) select ${accountId}, id, ${role} from person where email = ${email}`,
  )

/** A key, a task, a purchase, an invitation; and what must not be seen of them elsewhere. */
async function furnish({ accountId, email, name }: Newcomer): Promise<Side> {
  const gateway = consoleOf(accountId)
  const mark = crypto.randomUUID().slice(0, 8)
  const keyName = `key ${mark}`
  const made = await gateway.ask('POST', '/keys', { body: { name: keyName } })
  const { key_id: key, api_key: secret } = made.body as unknown as { key_id: string; api_key: string }
  const prompt = `${ownWords()} ${mark}`
  const asked = { model: 'alpha-h3', prompt, duration: 4, resolution: '768p' }
  const task = (await gateway.generate(asked)).body.id
  await gateway.taskOnce(task)
  const [invitation, invited] = [uuidv7(), `invited-${mark}@people.example`]
  const [purchase, packName] = [uuidv7(), `pack ${mark}`]
  const passkey = uuidv7()
  const rows = await withConsole(async sql => {
    const [person] = await sql<{ id: string }[]>`select id from person where email = ${email}`
    await sql`
      insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode, state)
      values (${purchase}, ${accountId}, ${person?.id ?? ''}, 'of-tests', 1, ${packName}, 100, 100, 'usd', false, 'open')`
    await sql`
      insert into passkey (id, person_id, name, public_key, credential_id, counter, device_type, backed_up)
      values (${passkey}, ${person?.id ?? ''}, ${`passkey ${mark}`}, 'none', ${passkey}, 0, 'singleDevice', false)`
    const link = createHash('sha256').update(invitation).digest()
    await sql`
      insert into invitation (id, account_id, email, role, token_hash, invited_by, expires_at)
      values (${invitation}, ${accountId}, ${invited}, 'viewer', ${link}, ${email}, now() + interval '1 day')`
    const [session] = await sql<
      { id: string }[]
    >`select session.id from session join person on person.id = person_id where email = ${email}`
    return { person: person?.id ?? '', session: session?.id ?? '' }
  })
  const things = {
    id: accountId,
    key,
    task,
    purchase,
    invitation,
    token: 'no-such-link',
    passkey,
    topic: 'filmgate.requests.v1.dlq',
    paper: 'receipt',
    ...rows,
    name: 'nothing.css',
  }
  const markers = [
    accountId,
    key,
    task,
    rows.person,
    rows.session,
    email,
    name,
    keyName,
    secret.slice(0, 16),
    prompt,
    purchase,
    packName,
    invitation,
    invited,
  ]
  return { accountId, things, markers }
}
