import { expect, test } from 'bun:test'
import type { Membership } from '../accounts/account-repository'
import type { Role } from '../accounts/roles'
import { accountMenu } from './menu'

const menuOf = (role: Role) => {
  const member = { accountId: 'acc_1', accountName: 'Studio', role } as Membership
  return accountMenu({ member, memberships: [member], section: 'overview' }).text
}

test('the menu has an owner’s twelve pages and the reference', () => {
  const labels = [...menuOf('owner').matchAll(/<li[^>]*><a [^>]*>([^<]*)</g)].map(([, label]) => label)
  expect(labels).toEqual([
    ...[
      'Overview',
      'Models',
      'Playground',
      'Tasks',
      'Requests',
      'Usage',
      'API keys',
      'Webhooks',
      'Billing',
      'Members',
      'E-mails',
      'Settings',
      'Docs',
    ],
  ])
})

test('the menu leads nobody to a page that their role does not see', () => {
  expect(menuOf('member')).toContain('/accounts/acc_1/billing')
  expect(menuOf('viewer')).not.toContain('/billing')
  expect(menuOf('member')).not.toContain('/webhooks')
  expect(menuOf('viewer')).toContain('/accounts/acc_1/keys')
})
