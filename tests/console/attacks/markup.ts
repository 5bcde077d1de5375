import { uuidv7 } from 'uuidv7'
import { consoleOf } from '../../support/client/console'
import { run } from '../../support/servers/databases'
import type { Report } from '../../support/suite/report'
import { acts, filled, listRoutes, nameOf, ofOperators, type Route } from '../matrix/cells'
import { markupFaults } from '../matrix/every-answer'
import { furnish, type Side } from '../matrix/furnish'
import { neededRoles } from '../matrix/needed-roles'
import { mailsTo } from '../people/mailbox'
import { openOperator } from '../people/operators'
import { type Newcomer, newName, password, signUpAs } from '../people/sign-up'
import { openWire, type Wire, type WireAnswer } from '../people/wire'

const payload = `'"></title></textarea></script><script>alert(1)</script><img src=x onerror=alert(1)>\${7*7}{{7*7}}`
const raw = /<script>alert|<img src=x|<\/textarea><\/script>/i
/** Every name that an address or a form of the console has, and some that it has not. */
const names = ['next', 'error', 'done', 'token', 'name', 'email', 'role', 'cursor', 'status', 'surface', 'model', 'mode', 'prompt', 'from']
const moreNames = ['to', 'event', 'account', 'balance', 'reason', 'credits', 'code', 'uri', 'date', 'expires', 'task', 'like', 'pack', 'q']
const written = Object.fromEntries([...names, ...moreNames].map(name => [name, payload]))

/** What people write is text wherever it is shown: names, prompts, addresses, browsers, what an address or a form says. */
export async function proveMarkup(report: Report): Promise<void> {
  const mark = crypto.randomUUID().slice(0, 6)
  const author = await signUpAs({ ...newName('Xena'), name: `${mark} ${payload}`.slice(0, 100) })
  const side = await poison(author)
  const operator = await openOperator('money')
  const routes = (await listRoutes()).filter(route => neededRoles[nameOf(route)]?.ends === undefined)
  let shown = 0
  const hold = (what: string, answer: WireAnswer) => {
    const faults = [...(raw.test(answer.text) ? [`as it stands: ${excerpt(answer.text)}`] : []), ...markupFaults(answer)]
    const kept = answer.headers.get('content-type') ?? ''
    if (kept.startsWith('text/html')) report.check(`${what} shows what was written as text`, faults.length === 0, faults.join('; '))
    if (kept.startsWith('text/html') && answer.text.includes('&lt;script&gt;alert')) shown += 1
  }
  for (const route of routes.filter(route => !acts(route))) {
    const wire = ofOperators(route) ? operator : author.wire
    hold(`${nameOf(route)}, stored,`, await wire.get(filled(route.path, side.things)))
    for (const each of [wire, openWire()]) hold(`${nameOf(route)}, reflected,`, await each.get(poisoned(route, side)))
    hold(`${nameOf(route)}, as a name,`, await wire.get(route.path.replace(/:\w+/g, encodeURIComponent(payload))))
  }
  for (const route of routes.filter(route => acts(route) && neededRoles[nameOf(route)]?.needs !== 'machine'))
    hold(
      `${nameOf(route)}, reflected,`,
      await (ofOperators(route) ? operator : author.wire).send(filled(route.path, side.things), { method: route.method, fields: written }),
    )
  report.check('what was written is shown at all', shown >= 10, String(shown))
  report.figure('attacks.markupShown', shown)
  await proveMails(report, author, operator)
}

const poisoned = (route: Route, { things }: Side): string => `${filled(route.path, things)}?${new URLSearchParams(written)}`

const excerpt = (text: string): string => {
  const at = raw.exec(text)?.index ?? 0
  return text.slice(Math.max(0, at - 80), at + 80)
}

/** Everything that a person may write, and what a browser says of itself. */
async function poison(author: Newcomer): Promise<Side> {
  const side = await furnish(author)
  const { accountId, wire, email } = author
  await wire.post(`/accounts/${accountId}/settings/name`, { name: payload.slice(0, 100) })
  await wire.post(`/security/passkeys/${side.things.passkey}/name`, { name: payload })
  const gateway = consoleOf(accountId)
  await gateway.ask('POST', '/keys', { body: { name: payload.slice(0, 80) } })
  const asked = { model: 'alpha-h3', prompt: payload, duration: 4, resolution: '768p' }
  const task = (await gateway.generate(asked)).body.id
  await gateway.taskOnce(task)
  await gateway.ask('PUT', `/grants/${uuidv7()}`, { body: { credits: 1, balance: 'paid', reason: payload } })
  await run('console', 'update purchase set pack_name = $2 where id = $1', [side.things.purchase ?? '', payload])
  await run('console', 'update invitation set invited_by = $2 where id = $1', [side.things.invitation ?? '', payload])
  // Its browser and its address are shown among the sessions, and in the log of who did what.
  const odd = openWire({ address: payload })
  await odd.post('/sign-in', { email, password, next: '/' }, { 'user-agent': payload })
  return { ...side, things: { ...side.things, task } }
}

/** No mail is a page: what others chose as a name or a title is no markup in it, and no line of its head. */
async function proveMails(report: Report, author: Newcomer, operator: Wire): Promise<void> {
  const invited = newName('Ida').email
  const { status } = await author.wire.post(`/accounts/${author.accountId}/members/invitations`, { email: invited, role: 'viewer' })
  report.check('an invitation is sent', status === 303, String(status))
  const named = await operator.get(`/operate/accounts?name=${encodeURIComponent(payload)}`)
  report.check('what an operator looks for is shown as text', !raw.test(named.text), excerpt(named.text))
  const mails = (await Promise.all([author.email, invited].map(mailsTo))).flat() as { html?: string | false; subject: string }[]
  const marked = mails.filter(({ html }) => typeof html === 'string' && raw.test(html))
  report.check('no mail has markup of somebody’s', marked.length === 0, JSON.stringify(marked[0] ?? ''))
  report.check(
    'no title of a mail has a second line',
    mails.every(({ subject }) => !/[\r\n]/.test(subject)),
  )
}
