import { openWire, type Wire } from '../people/wire'
import type { Visitor } from '../visitor'
import {
  addPasskey,
  askInVain,
  askToRemove,
  chooseVideos,
  createKey,
  debitTooMuch,
  makeBackupCodes,
  makeTooMuch,
  openMenu,
  rotateKey,
  signIn,
  signInTooOften,
  signInWrongly,
  signUpWrongly,
  startCodes,
  stopMails,
  typeCode,
} from './acts'
import type { Furnished } from './furnish'

export type Viewer = 'nobody' | 'owner' | 'newcomer' | 'careful' | 'member' | 'viewer' | 'operator'
export type ShownPage = {
  name: string
  path: string
  viewer: Viewer
  /** What is done there before it is looked at. */
  act?(visitor: Visitor): Promise<void>
  /** Where the answer is meant to be an error, which the console of a browser names. */
  status?: number
}

/** What each of them is signed in with. */
export const wiresOf = ({ owner, newcomer, careful, member, viewer, operator }: Furnished): Record<Viewer, Wire> => ({
  nobody: openWire(),
  owner: owner.wire,
  newcomer: newcomer.wire,
  careful: careful.wire,
  member: member.wire,
  viewer: viewer.wire,
  operator,
})

const tooMuch = 'playground?model=beta-2.5&mode=text-to-video&duration=15&resolution=1080p'

/** Every page there is, and those of its states that look otherwise. */
export function pagesOf(furnished: Furnished): ShownPage[] {
  const { owner, newcomer, careful, tasks, key, endpoint, links, letter } = furnished
  const account = `/accounts/${owner.accountId}`
  const empty = `/accounts/${newcomer.accountId}`
  const as = (viewer: Viewer, pages: Record<string, string>): ShownPage[] =>
    Object.entries(pages).map(([name, path]) => ({ name, path, viewer }))
  return [
    ...as('nobody', {
      'sign-in': '/sign-in',
      'sign-up': '/sign-up',
      'sign-up-sent': '/sign-up/sent',
      verify: links.verify,
      'verify-again': '/verify/again',
      reset: '/reset',
      unlock: '/sign-in/unlock',
      'reset-sent': '/reset/sent',
      'reset-set': links.reset,
      'invitation-signed-out': links.invitation,
      'sign-up-invited': `/sign-up?next=${encodeURIComponent(links.invitation)}`,
      'e-mails-stop': links.stop,
    }),
    { name: 'e-mails-stopped', path: links.stop, viewer: 'nobody', act: stopMails },
    { name: 'invitation-ended', path: links.invitationUsed, viewer: 'nobody', status: 404 },
    { name: 'sign-in-second', path: '/sign-in', viewer: 'nobody', act: visitor => signIn(visitor, careful.email) },
    { name: 'sign-in-refused', path: '/sign-in', viewer: 'nobody', status: 400, act: signInWrongly },
    { name: 'sign-up-refused', path: '/sign-up', viewer: 'nobody', status: 400, act: signUpWrongly },
    { name: 'too-many', path: '/sign-in', viewer: 'nobody', status: 429, act: visitor => signInTooOften(visitor, furnished.guessed) },
    { name: 'no-such-page', path: '/nothing-is-here', viewer: 'nobody', status: 404 },
    { name: 'link-ended', path: '/verify?token=none', viewer: 'nobody', status: 410 },
    ...as('newcomer', {
      'overview-empty': empty,
      'tasks-empty': `${empty}/tasks`,
      'requests-empty': `${empty}/requests`,
      'usage-empty': `${empty}/usage`,
      'keys-empty': `${empty}/keys`,
      'webhooks-empty': `${empty}/webhooks`,
      'billing-empty': `${empty}/billing`,
      'members-alone': `${empty}/members`,
      'invitation-of-mine': links.invitationOfNewcomer,
    }),
    { name: 'playground-refused', path: `${empty}/${tooMuch}`, viewer: 'newcomer', status: 402, act: makeTooMuch },
    { name: 'security-passkeys', path: '/security', viewer: 'newcomer', act: addPasskey },
    { name: 'security-codes-start', path: '/security', viewer: 'newcomer', act: startCodes },
    ...as('careful', { 'security-codes': '/security' }),
    { name: 'security-codes-backup', path: '/security', viewer: 'careful', act: makeBackupCodes },
    { name: 'invitation-of-another', path: links.invitation, viewer: 'newcomer', status: 403 },
    ...as('owner', {
      overview: account,
      playground: `${account}/playground`,
      'playground-picture': `${account}/playground?model=alpha-h3-fast&mode=image-to-video`,
      'playground-references': `${account}/playground?model=alpha-h3-fast&mode=media-to-video`,
      models: `${account}/models`,
      'models-none-like-it': `${account}/models?seconds=9999`,
      compare: `${account}/playground/compare?model=alpha-h3-fast&model=beta-2.5`,
      'compare-nothing': `${account}/playground/compare?model=alpha-h3-fast`,
      'compare-videos': `${account}/playground/compare/videos?task=${tasks.done}&task=${tasks.running}&task=${tasks.failed}&refused=alpha-h3+429+unfinished_task_limit`,
      tasks: `${account}/tasks`,
      'tasks-none-like-it': `${account}/tasks?status=failed&surface=api`,
      'tasks-searched': `${account}/tasks?text=the&from=2026-01-01`,
      task: `${account}/tasks/${tasks.done}`,
      'task-files': `${account}/tasks/${tasks.files}`,
      'playground-similar': `${account}/playground?task=${tasks.files}`,
      'task-failed': `${account}/tasks/${tasks.failed}`,
      'task-running': `${account}/tasks/${tasks.running}`,
      'task-held': `${account}/tasks/${tasks.held}`,
      requests: `${account}/requests`,
      'requests-none-like-it': `${account}/requests?code=no_such_code`,
      usage: `${account}/usage`,
      'usage-by-key': `${account}/usage?by=key`,
      keys: `${account}/keys`,
      'key-rotate': `${account}/keys/${key}/rotate`,
      'key-revoke': `${account}/keys/${key}/revoke`,
      'key-restrict': `${account}/keys/${key}/restrict`,
      webhooks: `${account}/webhooks`,
      'webhook-endpoint': `${account}/webhooks/${endpoint}`,
      'webhook-rotate': `${account}/webhooks/${endpoint}/rotate`,
      'webhook-remove': `${account}/webhooks/${endpoint}/remove`,
      budgets: `${account}/budgets`,
      'budget-account': `${account}/budgets/account`,
      'budget-key': `${account}/budgets/keys/${key}`,
      billing: `${account}/billing`,
      purchase: furnished.purchase,
      'purchase-paid-back': furnished.paidBack,
      'purchase-in-review': furnished.inReview,
      members: `${account}/members`,
      'members-log': `${account}/members/log`,
      'members-log-none-like-it': `${account}/members/log?person=nobody@people.example`,
      'members-leave': `${account}/members/leave`,
      'e-mails': `${account}/e-mails`,
      settings: `${account}/settings`,
      'settings-delete': `${account}/settings/delete`,
      accounts: '/accounts',
      'try-it': '/try-it',
      device: '/device',
      'device-approved': '/device?done=approved',
      security: '/security',
      'security-delete': '/security/delete',
      'security-confirm': '/security/confirm',
    }),
    { name: 'tasks-chosen', path: `${account}/tasks`, viewer: 'owner', act: chooseVideos },
    { name: 'menu', path: account, viewer: 'owner', act: openMenu },
    { name: 'playground-price-too-high', path: `${account}/playground?max_credits=1`, viewer: 'owner' },
    { name: 'member-remove', path: `${account}/members`, viewer: 'owner', act: askToRemove },
    { name: 'key-created', path: `${account}/keys`, viewer: 'owner', act: createKey },
    { name: 'key-rotated', path: `${account}/keys/${key}/rotate`, viewer: 'owner', act: rotateKey },
    { name: 'unavailable', path: account, viewer: 'owner', status: 503, act: visitor => askInVain(visitor, `${account}/keys`) },
    ...(['member', 'viewer'] as const).flatMap(viewer =>
      as(viewer, {
        [`overview-${viewer}`]: account,
        [`playground-${viewer}`]: `${account}/playground`,
        [`keys-${viewer}`]: `${account}/keys`,
        [`members-${viewer}`]: `${account}/members`,
        [`settings-${viewer}`]: `${account}/settings`,
      }),
    ),
    ...as('member', { 'billing-member': `${account}/billing` }),
    { name: 'device-code-wrong', path: '/device?user_code=BBBB-BBBB', viewer: 'owner', status: 400 },
    { name: 'device-code-viewer', path: '/device', viewer: 'viewer', act: typeCode },
    { name: 'device-code', path: '/device', viewer: 'owner', act: typeCode },
    { name: 'not-allowed', path: `${account}/keys/${key}/rotate`, viewer: 'member', status: 403 },
    ...as('operator', {
      operate: '/operate',
      'operate-search': '/operate/search?text=a',
      'operate-person': furnished.person,
      'operate-attempts': '/operate/attempts',
      'operate-accounts': '/operate/accounts',
      'operate-account': `/operate/accounts/${owner.accountId}`,
      'operate-requests': '/operate/requests',
      'operate-requests-account': `/operate/requests?account=${owner.accountId}`,
      'operate-tasks': '/operate/tasks',
      'operate-task': `/operate/tasks/${tasks.done}`,
      'operate-reviews': '/operate/reviews',
      'operate-review': `/operate/reviews/${tasks.held}`,
      'operate-dead-letters': '/operate/dead-letters',
      'operate-dead-letters-topic': `/operate/dead-letters/${letter.topic}`,
      'operate-dead-letters-one': `/operate/dead-letters/${letter.topic}?event=${letter.eventId}`,
      'operate-audit': '/operate/audit',
      'operate-providers': '/operate/providers',
      'operate-costs': '/operate/costs',
      'operate-costs-account': `/operate/costs?account=${owner.accountId}`,
      'operate-margins': '/operate/margins',
      'operate-acts': '/operate/acts',
      'operate-purchases': '/operate/purchases',
      'operate-purchases-account': `/operate/purchases?account=${owner.accountId}`,
      'operate-credit-changes': '/operate/credit-changes',
    }),
    { name: 'operate-account-refused', path: `/operate/accounts/${owner.accountId}`, viewer: 'operator', act: debitTooMuch },
  ]
}
