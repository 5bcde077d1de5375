import Stripe from 'stripe'
import { listRows, type Row, readRow } from './list-rows'
import { checkoutPage, portalPage } from './pages'

export type StandInOptions = {
  port: number
  webhookUrl: string
  webhookSecret: string
  /** Stripe's own mock: it checks each call against Stripe's description of its API, and its example is what we answer with. */
  mockUrl?: string
}

type Call = { method: string; path: string; fields: URLSearchParams; idempotencyKey: string | null }
type Sent = { type: string; object: Row }

const secondsNow = () => Math.floor(Date.now() / 1_000)
const idOf = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

/**
 * Stands in for Stripe where no package does: customers, checkouts with a page to pay on, the portal, and the webhooks
 * of what happens there, signed by the SDK. What a test decides (paying, refunding, disputing) it asks at /control;
 * what it has told itself it puts at /control/keep.
 */
export function startStandIn(options: StandInOptions): { url: string; stop(): Promise<void> } {
  const rows = new Map<string, Row>()
  const answered = new Map<string, { fields: string; row: Row }>()
  // Known once it listens, where any port will do.
  let url = `http://127.0.0.1:${options.port}`

  const keep = (row: Row): Row => {
    rows.set(row.id, row)
    return row
  }
  const find = (id: string) => rows.get(id)

  function create(path: string, fields: URLSearchParams): Row | undefined {
    const own = { created: secondsNow(), livemode: false }
    if (path === '/v1/customers') return { ...own, id: idOf('cus'), object: 'customer', email: fields.get('email') }
    if (path === '/v1/billing_portal/sessions') {
      const id = idOf('bps')
      const back = fields.get('return_url')
      return { ...own, id, object: 'billing_portal.session', url: `${url}/p/${id}`, return_url: back, customer: fields.get('customer') }
    }
    if (path !== '/v1/checkout/sessions') return undefined
    const id = idOf('cs_test')
    return {
      ...{ ...own, id, object: 'checkout.session', url: `${url}/c/pay/${id}`, status: 'open', payment_status: 'unpaid' },
      ...{ payment_intent: null, invoice: null, mode: 'payment', customer: fields.get('customer') },
      client_reference_id: fields.get('client_reference_id'),
      metadata: { account: fields.get('metadata[account]'), purchase: fields.get('metadata[purchase]') },
      amount_total: Number(fields.get('line_items[0][price_data][unit_amount]')) * Number(fields.get('line_items[0][quantity]')),
      currency: fields.get('line_items[0][price_data][currency]'),
      ...{ success_url: fields.get('success_url'), cancel_url: fields.get('cancel_url') },
      description: fields.get('line_items[0][price_data][product_data][name]'),
    }
  }

  function end(path: string): Row | undefined {
    const row = rows.get(/^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path)?.[1] ?? '')
    return row && Object.assign(row, { status: 'expired', url: null })
  }

  function read(path: string, fields: URLSearchParams): unknown {
    const [, , , ...rest] = path.split('/')
    const row = rows.get(rest.at(-1) ?? '')
    if (row) return readRow(row, fields, find)
    const kind = listed[path]
    if (!kind) return undefined
    return listRows(
      path,
      [...rows.values()].filter(({ object }) => object === kind),
      fields,
      find,
    )
  }

  async function answerApi(request: Request, call: Call): Promise<Response> {
    if (!/^Bearer [rs]k_test_/.test(request.headers.get('authorization') ?? '')) return fault(401, 'no key of the test mode')
    const example = await checkedByMock(options.mockUrl, request, call)
    if (example instanceof Response) return example
    if (call.method === 'GET') {
      const found = read(call.path, call.fields)
      if (typeof found === 'string') return fault(400, found)
      return found ? Response.json(found) : fault(404, `nothing at ${call.path}`)
    }
    const key = call.idempotencyKey && `${call.path} ${call.idempotencyKey}`
    const before = key ? answered.get(key) : undefined
    if (before) return before.fields === String(call.fields) ? Response.json(before.row) : fault(400, 'the idempotency key has other terms')
    const made = end(call.path) ?? create(call.path, call.fields)
    if (!made) return fault(404, `nothing at ${call.path}`)
    const row = keep({ ...example, ...made })
    if (key) answered.set(key, { fields: String(call.fields), row })
    return Response.json(row)
  }

  /** What happens at Stripe when somebody pays, in the order that Stripe tells it. */
  function pay(session: Row): Sent[] {
    if (session.status !== 'open') return []
    const terms = { amount: session.amount_total, currency: session.currency, metadata: session.metadata, created: secondsNow() }
    const id = idOf('pi')
    const charge = {
      ...terms,
      id: idOf('ch'),
      object: 'charge',
      status: 'succeeded',
      payment_intent: id,
      receipt_url: `${url}/receipts/${session.id}`,
    }
    keep(charge)
    const intent = {
      ...terms,
      id,
      object: 'payment_intent',
      amount_received: terms.amount,
      status: 'succeeded',
      latest_charge: charge.id,
    }
    const invoice = keep({ id: idOf('in'), object: 'invoice', hosted_invoice_url: `${url}/invoices/${session.id}` })
    keep(intent)
    Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: intent.id, invoice: invoice.id })
    return [
      { type: 'payment_intent.succeeded', object: intent },
      { type: 'checkout.session.completed', object: session },
    ]
  }

  /** A coupon that leaves nothing to pay. */
  function payNothing(session: Row): Sent[] {
    if (session.status !== 'open') return []
    Object.assign(session, { status: 'complete', payment_status: 'no_payment_required', amount_total: 0 })
    return [{ type: 'checkout.session.completed', object: session }]
  }

  const reverse = (kind: 'refund' | 'dispute', payment: string, amount: number, status: string): Sent[] => {
    const { currency, latest_charge: charge }: Partial<Row> = rows.get(payment) ?? {}
    const terms = { object: kind, payment_intent: payment, charge, amount, currency, status, created: secondsNow() }
    const object = keep({ id: idOf(kind === 'refund' ? 're' : 'dp'), ...terms })
    return [{ type: kind === 'refund' ? 'refund.created' : 'charge.dispute.created', object }]
  }

  async function deliver(sent: Sent[]): Promise<void> {
    for (const { type, object } of sent) {
      const event = { ...{ id: idOf('evt'), object: 'event', type, livemode: false, created: secondsNow() }, data: { object } }
      const payload = JSON.stringify(event)
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: options.webhookSecret })
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
      await fetch(options.webhookUrl, { method: 'POST', body: payload, headers, keepalive: false }).catch(() => undefined)
    }
  }

  async function answerControl({ path, fields }: Call): Promise<Response> {
    const [, , verb = '', id = ''] = path.split('/')
    if (verb === 'keep') return Response.json((JSON.parse(fields.get('rows') ?? '[]') as Row[]).map(row => keep(row).id))
    const row = rows.get(id)
    if (!row) return fault(404, `nothing is called ${id}`)
    const amount = Number(fields.get('amount'))
    const sent =
      verb === 'pay'
        ? pay(row)
        : verb === 'pay-nothing'
          ? payNothing(row)
          : verb === 'refund'
            ? reverse('refund', id, amount, 'succeeded')
            : reverse('dispute', id, amount, 'needs_response')
    if (!fields.has('silent')) await deliver(sent)
    return Response.json(sent.map(({ object }) => object))
  }

  async function answerPage(request: Request, path: string): Promise<Response> {
    const session = rows.get(path.split('/').at(-1) ?? '')
    if (!session) return new Response('nothing here', { status: 404 })
    if (path.startsWith('/p/')) return portalPage(String(session.return_url))
    if (request.method === 'GET') return checkoutPage(session)
    const sent = pay(session)
    // Stripe leads back at once; its webhooks come when they come.
    void deliver(sent)
    return new Response(null, { status: 303, headers: { location: String(session.success_url) } })
  }

  const server = Bun.serve({
    port: options.port,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url)
      const fields = request.method === 'GET' ? searchParams : new URLSearchParams(await request.clone().text())
      const call = { method: request.method, path, fields, idempotencyKey: request.headers.get('idempotency-key') }
      if (path.startsWith('/v1/')) return answerApi(request, call)
      if (path.startsWith('/control/')) return answerControl(call)
      return answerPage(request, path)
    },
  })
  url = `http://127.0.0.1:${server.port}`
  return { url, stop: () => server.stop(true) }
}

const fault = (status: number, message: string) => Response.json({ error: { type: 'invalid_request_error', message } }, { status })

/** What is listed, and where. */
const listed: Readonly<Record<string, string>> = {
  '/v1/charges': 'charge',
  '/v1/refunds': 'refund',
  '/v1/disputes': 'dispute',
  '/v1/events': 'event',
  '/v1/checkout/sessions': 'checkout.session',
}

/** The mock's example of the answer, or its refusal. */
async function checkedByMock(mockUrl: string | undefined, request: Request, { path }: Call): Promise<Record<string, unknown> | Response> {
  if (!mockUrl) return {}
  const headers = { authorization: 'Bearer sk_test_123', 'content-type': request.headers.get('content-type') ?? '' }
  const body = request.method === 'GET' ? undefined : await request.text()
  const answer = await fetch(`${mockUrl}${path}${new URL(request.url).search}`, { method: request.method, headers, ...(body && { body }) })
  return answer.ok ? ((await answer.json()) as Record<string, unknown>) : answer
}
