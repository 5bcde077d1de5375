import type { WebhookDelivery, WebhookEndpoint } from '@filmgate/client'
import { type Command, Option } from 'commander'
import { connect, type Session } from '../session'
import { askYesNo } from '../terminal/ask'
import { exitCodes, Failure, usageFailure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import { table } from '../terminal/terminal'
import { type ListenOptions, listen } from './listen'
import { type Run, repeated, wholeNumber } from './run'

const eventTypes = ['task.completed', 'task.failed', 'task.in_review', 'balance.low']

export function addWebhooks(program: Command, run: Run): void {
  const webhooks = program.command('webhooks').description('endpoints that are told of the ends of tasks, and a way to try one here')
  webhooks.command('list').description('the endpoints of the account').action(run(list))
  webhooks
    .command('create')
    .description('post events to a URL from now on; prints the secret that signs them, this once')
    .argument('<url>', 'https, on a public host')
    .addOption(new Option('--event <type>', `of this type only (repeatable): ${eventTypes.join(', ')}`).argParser(repeated))
    .option('--description <text>', 'what it is for')
    .action(run(create))
  webhooks
    .command('delete')
    .description('send nothing there any more')
    .argument('<id>')
    .option('-y, --yes', 'without a question')
    .action(run(remove))
  webhooks.command('rotate').description('a new secret, which is printed this once').argument('<id>').action(run(rotate))
  webhooks.command('test').description('send an event webhook.test there').argument('<id>').action(run(sendTest))
  webhooks.command('resume').description('send to a paused endpoint again').argument('<id>').action(run(resume))
  webhooks
    .command('deliveries')
    .description('what was sent there in the last 30 days, newest first')
    .argument('<id>')
    .addOption(new Option('--status <status>', 'of this status only').choices(['pending', 'delivered', 'failed']))
    .option('--limit <n>', 'at most so many', wholeNumber(1), 20)
    .action(run(deliveries))
  webhooks
    .command('replay')
    .description('send one delivery again, or all of a span')
    .argument('<id>', 'the endpoint')
    .argument('[delivery]', 'the delivery')
    .option('--from <moment>', 'the first moment of the span')
    .option('--to <moment>', 'the first moment behind the span')
    .action(run(replay))
  addListen(webhooks, run)
}

const listenHelp = `
Nothing reaches this machine from outside: the program reads the account's tasks every few seconds, at most a third of
the requests that the key has a minute, and posts the events itself. So it is polling, not the service's own delivery:
an event comes some seconds late, once, without retries, and balance.low never comes. Bodies, headers and signatures are
those of the service; the secret is another, which is printed. Tasks that ended before the start are not told.`

const addListen = (webhooks: Command, run: Run) =>
  webhooks
    .command('listen')
    .description('post the events of new ends of tasks to an address of this machine')
    .option('--forward-to <url>', 'such as http://localhost:3000/hook; left out: they are only printed')
    .addOption(new Option('--event <type>', 'of this type only (repeatable)').argParser(repeated))
    .option('--secret <secret>', 'sign with this secret (whsec_…); left out: a new one')
    .addHelpText('after', listenHelp)
    .action(run((session, options: ListenOptions) => listen(session, options)))

async function list(session: Session): Promise<void> {
  const { filmgate } = await connect(session)
  const endpoints = await filmgate.webhooks.list({ signal: session.signal })
  session.terminal.printJson(endpoints)
  if (endpoints.data.length === 0) return session.terminal.note('There are none. Make one: filmgate webhooks create URL')
  const cells = endpoints.data.map(({ id, status, url, events }) => [id, status, url, events.join(', ')])
  session.terminal.print(table([['id', 'status', 'url', 'events'], ...cells]))
}

type CreateOptions = { event?: string[]; description?: string }

async function create(session: Session, url: string, { event, description }: CreateOptions): Promise<void> {
  const { filmgate } = await connect(session)
  const events = event as WebhookEndpoint['events'] | undefined
  const endpoint = await filmgate.webhooks.create({ url, ...(events && { events }), ...(description !== undefined && { description }) })
  showSecret(session, endpoint)
}

function showSecret({ terminal }: Session, endpoint: WebhookEndpoint & { secret: string }): void {
  terminal.printJson(endpoint)
  terminal.print(
    table([
      ['id', endpoint.id],
      ['secret', endpoint.secret],
    ]),
  )
  terminal.note('The secret is shown this once: store it.')
}

async function remove(session: Session, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal, signal } = session
  if (!yes && !terminal.canAsk) throw usageFailure('Nobody can be asked here.', 'Say --yes.')
  const { filmgate } = await connect(session)
  const { url } = await filmgate.webhooks.get(id, { signal })
  if (!yes && !(await askYesNo(`Delete ${plain(id)} (${plain(url)})?`, signal)))
    throw new Failure('Nothing was deleted.', { exit: exitCodes.failed, code: 'declined' })
  await filmgate.webhooks.delete(id, { signal })
  terminal.printJson({ deleted: id })
  terminal.print(`Deleted: ${plain(id)}`)
}

async function rotate(session: Session, id: string): Promise<void> {
  const { filmgate } = await connect(session)
  const endpoint = await filmgate.webhooks.rotate(id)
  showSecret(session, endpoint)
  session.terminal.note(`Until ${plain(endpoint.former_secret_until)} deliveries are also signed with the former secret.`)
}

async function sendTest(session: Session, id: string): Promise<void> {
  const { filmgate } = await connect(session)
  const delivery = await filmgate.webhooks.test(id)
  session.terminal.printJson(delivery)
  session.terminal.print(`Sent: ${plain(delivery.id)}`)
  session.terminal.note(`What came of it: filmgate webhooks deliveries ${plain(id)} --limit 1`)
}

async function resume(session: Session, id: string): Promise<void> {
  const { filmgate } = await connect(session)
  const endpoint = await filmgate.webhooks.resume(id, { signal: session.signal })
  session.terminal.printJson(endpoint)
  session.terminal.print(`${plain(endpoint.status)}: ${plain(endpoint.url)}`)
}

type DeliveryOptions = { status?: WebhookDelivery['status']; limit: number }

async function deliveries(session: Session, id: string, { status, limit }: DeliveryOptions): Promise<void> {
  const { terminal, signal } = session
  const { filmgate } = await connect(session)
  const data: WebhookDelivery[] = []
  for await (const delivery of filmgate.webhooks.deliveries(id, { status, limit: Math.min(limit, 100), signal })) {
    data.push(delivery)
    if (data.length >= limit) break
  }
  terminal.printJson({ object: 'list', data })
  if (data.length === 0) return terminal.note('There are no such deliveries.')
  const cells = data.map(({ id, event, status, attempts, created_at: at }) => {
    const last = attempts.at(-1)
    return [id, event, status, attempts.length, last ? (last.status ?? last.error) : '', at]
  })
  terminal.print(table([['id', 'event', 'status', 'attempts', 'answer', 'made'], ...cells]))
}

type Span = { from?: string; to?: string }

async function replay(session: Session, id: string, delivery: string | undefined, { from, to }: Span): Promise<void> {
  const isSpan = from !== undefined && to !== undefined
  if ((delivery === undefined) !== isSpan) throw usageFailure('Name a delivery, or a span by --from and --to.')
  const { filmgate } = await connect(session)
  const replayed = await filmgate.webhooks.replay(id, delivery === undefined ? { from, to } : { delivery_id: delivery })
  session.terminal.printJson(replayed)
  session.terminal.print(`Sent again: ${replayed.replayed}`)
  if (replayed.more) session.terminal.note('The span has more: send the rest of it again.')
}
