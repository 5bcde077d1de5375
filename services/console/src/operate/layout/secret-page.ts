import { html } from '@filmgate/kit/http/html'
import { secretScript, shownSecret } from '../../keys/shown-secret'
import type { Operator } from '../door/operator-of'
import { operatePage } from './operate-page'

type Shown = {
  operator: Operator
  title: string
  secret: string
  /** What the secret is of, and what there is to do with it. */
  words: string
  /** The page of its account, with the act's result. */
  path: string
}

/** The one time that an operator sees a secret. */
export const secretPage = ({ operator, title, secret, words, path }: Shown): string =>
  operatePage({
    operator,
    room: 'accounts',
    title,
    scripts: [secretScript],
    notice: { kind: 'done', text: 'Copy it now, and hand it over where nobody else reads. It is not shown again.' },
    content: html`<p>${words}</p>
${shownSecret(secret, path)}
<p class="row"><a class="button" href="${path}">I have copied it</a></p>`,
  })
