import type { AuditEntry } from './list-repository'

type EntryInput = Pick<AuditEntry, 'act' | 'details' | 'subject'>

const detail = ({ details }: EntryInput, name: string): string => String(details[name] ?? '')

/** Descriptions of audit entries by action name. An action without a description is shown by its name. */
const descriptions: Record<string, (act: EntryInput) => string> = {
  'account.opened': () => 'Opened the account',
  'account.renamed': act => `Renamed the account from “${detail(act, 'from')}” to “${detail(act, 'to')}”`,
  'account.exported': () => 'Exported the account’s data',
  'account.closed': () => 'Deleted the account',
  'starter_credits.refused': act => `Denied starter credits (${detail(act, 'rule')})`,
  'invitation.sent': act => `Invited ${detail(act, 'email')} as ${detail(act, 'role')}`,
  'invitation.sent_again': act => `Sent the invitation of ${detail(act, 'email')} again`,
  'invitation.revoked': act => `Revoked the invitation of ${detail(act, 'email')}`,
  'key.created': act => `Created the key “${detail(act, 'name')}”`,
  'key.rotated': act => `Rotated the key “${detail(act, 'name')}”`,
  'key.revoked': act => `Revoked the key “${detail(act, 'name')}”`,
  'key.lent': () => 'Created a temporary key for the API reference',
  'key.lent_ended': () => 'Revoked a temporary key of the API reference',
  'mails.chosen': () => 'Changed the e-mail preferences',
  'mails.stopped': () => 'Unsubscribed from e-mails by link',
  'member.joined': act => `Joined as ${detail(act, 'role')}`,
  'member.left': () => 'Left the account',
  'member.removed': act => `Removed ${detail(act, 'email')}, who was ${detail(act, 'role')}`,
  'member.role_changed': act => `Changed ${detail(act, 'email')} from ${detail(act, 'from')} to ${detail(act, 'to')}`,
  'portal.opened': () => 'Opened the billing portal at Stripe',
  'purchase.asked': () => 'Refreshed a purchase from Stripe',
  'purchase.begun': act => `Started to buy the pack “${detail(act, 'pack')}”`,
  'upload.made': () => 'Uploaded a file',
  'video.made': act => `Created a video with ${detail(act, 'model')}`,
}

export const describeAuditEntry = (act: EntryInput): string => descriptions[act.action]?.(act) ?? act.action.replaceAll(/[._]/g, ' ')
