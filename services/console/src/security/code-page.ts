import { type Html, html } from '@filmgate/kit/http/html'
import { encode } from 'uqr'
import type { Person } from '../http/person'
import { field, hidden } from '../layout/field'
import { page } from '../layout/page'

/** Shows the secret of the authenticator once; `uri` is the content of the QR code. */
export const startCodesPage = (person: Person, uri: string, issue?: string): string =>
  page({
    title: 'Turn codes on',
    person,
    content: html`<p>Scan this with your authenticator app, or type the key into it.</p>
${qrCode(uri)}
<p>Key: <code id="totp-secret">${secretOf(uri)}</code></p>
<form method="post" action="/security/codes/confirm">
${hidden('uri', uri)}
${field({ name: 'code', label: 'Current code', autocomplete: 'one-time-code', maxLength: 10, required: true, issue })}
<p class="row"><button>Turn codes on</button> <a href="/security">Cancel</a></p>
</form>`,
  })

export const backupCodesPage = (person: Person, codes: string[]): string =>
  page({
    title: 'Your backup codes',
    person,
    notice: { kind: 'done', text: 'Sign-in now asks for a code after the password.' },
    content: html`<p>Store these codes where you can find them without your phone. Each works once. They are not shown again.</p>
<pre id="backup-codes">${codes.join('\n')}</pre>
<p class="row"><button class="second" type="button" data-copy="backup-codes" hidden>Copy</button> <a class="button" href="/security">Done</a></p>`,
  })

const secretOf = (uri: string): string => URL.parse(uri)?.searchParams.get('secret') ?? ''

const dot = 5

/** Inline SVG, so that neither a script nor an external image is needed. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg id="totp-qr" role="img" aria-label="The key as a QR code" width="${size * dot}" height="${size * dot}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
