import { html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../../accounts/require-member'
import type { GatewayError, KeyView } from '../../gateway/gateway'
import type { FormFields } from '../../http/read-form'
import { field } from '../../layout/field'
import { accountPath } from '../../layout/menu'
import { page } from '../../layout/page'
import type { KeyBindings } from './bind-key'

export type BindingsFields = { models: string; addresses: string }
type View = MemberContext & { key: KeyView; fields: BindingsFields; refused?: GatewayError | undefined }

export const bindingsOf = ({ models, addresses }: KeyView): BindingsFields => ({
  models: models?.join(' ') ?? '',
  addresses: addresses?.join(' ') ?? '',
})

/** Names and ranges, separated by white space or commas; none of them unbinds the key. */
export function readBindings(form: FormFields): { fields: BindingsFields; bindings: KeyBindings } {
  const fields = { models: form.get('models'), addresses: form.get('addresses') }
  const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  const orNull = (list: string[]) => (list.length > 0 ? list : null)
  return { fields, bindings: { models: orNull(listOf(fields.models)), addresses: orNull(listOf(fields.addresses)) } }
}

export const bindingsPage = ({ person, member, memberships, key, fields, refused }: View): string =>
  page({
    title: `Restrict “${key.name}”`,
    person,
    account: { member, memberships, section: 'keys' },
    ...(refused && { notice: { kind: 'wrong' as const, text: refused.message } }),
    content: html`<p>A restriction works within 5 seconds. Other requests with this key are refused and cost nothing.</p>
<form class="panel" method="post">
${field({ name: 'models', label: 'Models', value: fields.models, hint: 'Such as “alpha-h3 beta-2.5”. Empty: all models.', issue: issueOf(refused, 'models') })}
${field({ name: 'addresses', label: 'Addresses', value: fields.addresses, hint: 'Such as “203.0.113.0/24 2001:db8::/32”. Empty: from everywhere.', issue: issueOf(refused, 'addresses') })}
<p class="row"><button>Save</button> <a class="button second" href="${accountPath(member.accountId, 'keys')}">Cancel</a></p>
</form>`,
  })

/** What the gateway says of a field or of one of its items. */
function issueOf(refused: GatewayError | undefined, field: string): string | undefined {
  const issues = refused?.details?.issues as { path: string; message: string }[] | undefined
  return issues?.find(({ path }) => path === field || path.startsWith(`${field}[`))?.message
}
