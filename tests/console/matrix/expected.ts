import { operatorRoles } from '../people/operators'
import type { Needed } from './needed-roles'

export const targets = ['own', 'foreign', 'crossed', 'unknown'] as const
/** Whose ids the path has: the account's of the owner, another's, that of the owner with things of another, or nobody's. */
export type Target = (typeof targets)[number]

export type Asked = {
  needs: Needed
  visitor: string
  target: Target
  /** Whether it changes something, so that it asks for a form. */
  acts: boolean
  hasThings: boolean
  lacks?: boolean
}

const ranks = ['viewer', 'member', 'owner']
const refused = { signedOut: /^(303|401)$/, role: /^403$/, nothing: /^404$/ }
/** Done, led on, or asked to mend the form: whoever may do it got as far as that. */
const done = { read: /^(200|303)$/, act: /^(200|201|202|204|303|400|402|409|410|429|503)$/ }
const lacking = /^(200|303|400|404|409|502|503)$/

/** The statuses that an answer may have. */
export function expectedStatus(asked: Asked): RegExp {
  const { needs, visitor, target, acts } = asked
  if (needs === 'machine') return /^(400|401|403|404)$/
  if (needs === 'anyone') return /^(?!5|403)\d{3}$/
  if (needs === 'invited') return expectedOfLink(asked)
  if (visitor === 'signed out') return refused.signedOut
  const may = asked.lacks ? lacking : acts ? done.act : done.read
  if (needs.startsWith('operator:')) return expectedOfOperator(asked, may)
  // A passkey or a session: the owner's own, or not there.
  if (needs === 'person') return asked.hasThings && !(visitor === 'owner' && target === 'own') ? refused.nothing : may
  if (!ranks.includes(visitor) || target === 'foreign' || target === 'unknown') return refused.nothing
  if (ranks.indexOf(visitor) < ranks.indexOf(needs)) return refused.role
  return target === 'crossed' ? refused.nothing : may
}

/** An invitation's link is for the address that it was sent to, which is none of these people's. */
function expectedOfLink({ visitor, target, acts }: Asked): RegExp {
  if (visitor === 'signed out') return acts ? refused.signedOut : target === 'unknown' ? refused.nothing : done.read
  return target === 'unknown' ? refused.nothing : refused.role
}

function expectedOfOperator({ needs, visitor, target, acts }: Asked, may: RegExp): RegExp {
  const ranks: readonly string[] = operatorRoles
  const [held, needed] = [ranks.indexOf(visitor), ranks.indexOf(needs.replace('operator:', ''))]
  if (held < 0) return refused.nothing
  if (held < needed) return refused.role
  return target === 'unknown' && !acts ? /^(200|404)$/ : target === 'unknown' ? /^(400|404)$/ : may
}

export const isNothing = (expected: RegExp): boolean => expected === refused.nothing
