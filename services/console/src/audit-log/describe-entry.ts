import type { AuditEntry } from './list-repository'

type EntryInput = Pick<AuditEntry, 'action' | 'details' | 'subject'>

const detail = ({ details }: EntryInput, name: string): string => String(details[name] ?? '')

/** Descriptions by action name. An action without a description is shown by its name. */
const descriptions: Record<string, (entry: EntryInput) => string> = {
  'account.opened': () => 'Opened the account',
  'account.renamed': entry => `Renamed the account from “${detail(entry, 'from')}” to “${detail(entry, 'to')}”`,
  'account.exported': () => 'Exported the account’s data',
  'account.closed': () => 'Deleted the account',
  'starter_credits.refused': entry => `Was given no starter credits (${detail(entry, 'rule')})`,
  'invitation.sent': entry => `Invited ${detail(entry, 'email')} as ${detail(entry, 'role')}`,
  'invitation.sent_again': entry => `Sent the invitation of ${detail(entry, 'email')} again`,
  'invitation.revoked': entry => `Revoked the invitation of ${detail(entry, 'email')}`,
  'key.created': entry => `Created the key “${detail(entry, 'name')}”`,
  'key.rotated': entry => `Rotated the key “${detail(entry, 'name')}”`,
  'key.revoked': entry => `Revoked the key “${detail(entry, 'name')}”`,
  'key.lent': () => 'Took a key for the reference’s try-it',
  'key.lent_ended': () => 'Ended a key of the reference’s try-it',
  'mails.chosen': () => 'Chose which e-mails to get',
  'mails.stopped': () => 'Stopped e-mails by the link in one',
  'member.joined': entry => `Joined as ${detail(entry, 'role')}`,
  'member.left': () => 'Left the account',
  'member.removed': entry => `Removed ${detail(entry, 'email')}, who was ${detail(entry, 'role')}`,
  'member.role_changed': entry => `Changed ${detail(entry, 'email')} from ${detail(entry, 'from')} to ${detail(entry, 'to')}`,
  'portal.opened': () => 'Opened the cards and invoices at Stripe',
  'purchase.asked': () => 'Asked Stripe about a purchase',
  'purchase.begun': entry => `Began to buy the pack “${detail(entry, 'pack')}”`,
  'upload.made': () => 'Uploaded a file',
  'video.made': entry => `Made a video with ${detail(entry, 'model')}`,
}

export const describeAuditEntry = (entry: EntryInput): string =>
  descriptions[entry.action]?.(entry) ?? entry.action.replaceAll(/[._]/g, ' ')
