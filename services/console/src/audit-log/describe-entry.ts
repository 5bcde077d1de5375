import type { AuditEntry } from './list-repository'

type EntryInput = Pick<AuditEntry, 'action' | 'details' | 'subject'>

const detail = ({ details }: EntryInput, name: string): string => String(details[name] ?? '')

/** Descriptions by action name. An action without a description is shown by its name. */
const descriptions: Record<string, (entry: EntryInput) => string> = {
  'account.opened': () => 'Opened the account',
  'account.renamed': entry => `Renamed the account from “${detail(entry, 'from')}” to “${detail(entry, 'to')}”`,
  'account.exported': () => 'Exported the account’s data',
  'account.closed': () => 'Deleted the account',
  'budget.set': entry => `Set the budget of the ${detail(entry, 'scope')} “${detail(entry, 'name')}”`,
  'starter_credits.refused': entry => `Denied starter credits (${detail(entry, 'rule')})`,
  'device_login.approved': entry => `Let a command line have the key “${detail(entry, 'name')}”`,
  'invitation.sent': entry => `Invited ${detail(entry, 'email')} as ${detail(entry, 'role')}`,
  'invitation.sent_again': entry => `Resent the invitation of ${detail(entry, 'email')}`,
  'invitation.revoked': entry => `Revoked the invitation of ${detail(entry, 'email')}`,
  'key.created': entry => `Created the key “${detail(entry, 'name')}”`,
  'key.rotated': entry => `Rotated the key “${detail(entry, 'name')}”`,
  'key.bound': entry => `Restricted the key “${detail(entry, 'name')}”`,
  'key.revoked': entry => `Revoked the key “${detail(entry, 'name')}”`,
  'key.lent': () => 'Created a temporary key for the API reference',
  'key.lent_ended': () => 'Revoked a temporary key of the API reference',
  'mails.chosen': () => 'Changed the e-mail preferences',
  'mails.stopped': () => 'Unsubscribed from e-mails by link',
  'member.joined': entry => `Joined as ${detail(entry, 'role')}`,
  'member.left': () => 'Left the account',
  'member.removed': entry => `Removed ${detail(entry, 'email')} (${detail(entry, 'role')})`,
  'member.role_changed': entry => `Changed ${detail(entry, 'email')} from ${detail(entry, 'from')} to ${detail(entry, 'to')}`,
  'portal.opened': () => 'Opened the billing portal at Stripe',
  'purchase.asked': () => 'Refreshed a purchase from Stripe',
  'purchase.begun': entry => `Started to buy the pack “${detail(entry, 'pack')}”`,
  'upload.made': () => 'Uploaded a file',
  'webhook.created': entry => `Added a webhook endpoint at ${detail(entry, 'host')}`,
  'webhook.rotated': entry => `Rotated the secret of the webhook endpoint at ${detail(entry, 'host')}`,
  'webhook.tested': entry => `Sent a test to the webhook endpoint at ${detail(entry, 'host')}`,
  'webhook.resumed': entry => `Resumed the webhook endpoint at ${detail(entry, 'host')}`,
  'webhook.replayed': entry => `Sent a delivery again to the webhook endpoint at ${detail(entry, 'host')}`,
  'webhook.removed': entry => `Removed the webhook endpoint at ${detail(entry, 'host')}`,
  'low_balance.set': entry => `Set the balance threshold of webhooks to ${detail(entry, 'credits') || 'none'}`,
  'video.made': entry => `Created a video with ${detail(entry, 'model')}`,
}

export const describeAuditEntry = (entry: EntryInput): string =>
  descriptions[entry.action]?.(entry) ?? entry.action.replaceAll(/[._]/g, ' ')
