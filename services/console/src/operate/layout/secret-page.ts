import { html } from '@filmgate/kit/http/html'
import { secretField, secretScript } from '../../keys/secret-field'
import type { Operator } from '../access/require-operator'
import { operatePage } from './operate-page'

type View = {
  operator: Operator
  title: string
  secret: string
  /** What the secret belongs to, and what to do with it. */
  description: string
  /** The account's page, which shows the action's result. */
  path: string
}

/** Shows a secret to an operator once. */
export const secretPage = ({ operator, title, secret, description, path }: View): string =>
  operatePage({
    operator,
    section: 'accounts',
    title,
    scripts: [secretScript],
    notice: { kind: 'done', text: 'Copy the secret now and hand it over on a secure channel. It is not shown again.' },
    content: html`<p>${description}</p>
${secretField(secret, path)}
<p class="row"><a class="button" href="${path}">I have copied it</a></p>`,
  })
