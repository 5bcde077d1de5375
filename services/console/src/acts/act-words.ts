import type { ActRow } from './list-repository'

type Told = Pick<ActRow, 'act' | 'details' | 'subject'>

const of = ({ details }: Told, name: string): string => String(details[name] ?? '')

/** What was done, in words; an act without words here is shown by its name. */
const words: Record<string, (act: Told) => string> = {
  'account.opened': () => 'Opened the account',
  'account.renamed': act => `Renamed the account from “${of(act, 'from')}” to “${of(act, 'to')}”`,
  'account.exported': () => 'Exported the account’s data',
  'account.closed': () => 'Deleted the account',
  'starter_credits.refused': act => `Was given no starter credits (${of(act, 'rule')})`,
  'invitation.sent': act => `Invited ${of(act, 'email')} as ${of(act, 'role')}`,
  'invitation.sent_again': act => `Sent the invitation of ${of(act, 'email')} again`,
  'invitation.revoked': act => `Revoked the invitation of ${of(act, 'email')}`,
  'key.created': act => `Created the key “${of(act, 'name')}”`,
  'key.rotated': act => `Rotated the key “${of(act, 'name')}”`,
  'key.revoked': act => `Revoked the key “${of(act, 'name')}”`,
  'key.lent': () => 'Took a key for the reference’s try-it',
  'key.lent_ended': () => 'Ended a key of the reference’s try-it',
  'mails.chosen': () => 'Chose which e-mails to get',
  'mails.stopped': () => 'Stopped e-mails by the link in one',
  'member.joined': act => `Joined as ${of(act, 'role')}`,
  'member.left': () => 'Left the account',
  'member.removed': act => `Removed ${of(act, 'email')}, who was ${of(act, 'role')}`,
  'member.role_changed': act => `Changed ${of(act, 'email')} from ${of(act, 'from')} to ${of(act, 'to')}`,
  'portal.opened': () => 'Opened the cards and invoices at Stripe',
  'purchase.asked': () => 'Asked Stripe about a purchase',
  'purchase.begun': act => `Began to buy the pack “${of(act, 'pack')}”`,
  'upload.made': () => 'Uploaded a file',
  'video.made': act => `Made a video with ${of(act, 'model')}`,
}

export const actWords = (act: Told): string => words[act.act]?.(act) ?? act.act.replaceAll(/[._]/g, ' ')
