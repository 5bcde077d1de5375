const page = (title: string, content: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title></head>` +
      `<body><main><h1>${title}</h1>${content}</main></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )

const escaped = (text: unknown) => String(text).replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)

/** Where Stripe's checkout would be: what is bought, and two ways on. */
export const checkoutPage = (session: Record<string, unknown>): Response =>
  page(
    'Stand-in for Stripe Checkout',
    `<p>${escaped(session.description)}: ${escaped(session.amount_total)} ${escaped(session.currency)}</p>` +
      (session.status === 'open' ? '<form method="post"><button>Pay</button></form>' : '<p>This is paid.</p>') +
      `<p><a href="${escaped(session.cancel_url)}">Back</a></p>`,
  )

export const portalPage = (back: string): Response => page('Stand-in for the Customer Portal', `<p><a href="${escaped(back)}">Back</a></p>`)
