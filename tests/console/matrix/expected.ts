import type { Needed } from './needed-roles'

export const targets = ['own', 'foreign', 'crossed', 'unknown'] as const
/** Whose ids the path has: the account's of the owner, another's, that of the owner with things of another, or nobody's. */
export type Target = (typeof targets)[number]

type Asked = { needs: Needed; visitor: string; target: Target; hasThings: boolean; inAccount: boolean; lacks?: boolean }

const ranks = ['viewer', 'member', 'owner']
const refused = { signedOut: /^(303|401)$/, role: /^403$/, nothing: /^404$/ }
/** Done, led on, or asked to mend the form: whoever may do it got as far as that. */
const done = /^(200|201|202|204|303|400|402|409|410|429|503)$/

/** The statuses that an answer may have. */
export function expectedStatus({ needs, visitor, target, hasThings, inAccount, lacks }: Asked): RegExp {
  if (needs === 'machine') return /^(400|401|403|404)$/
  if (needs === 'anyone') return /^(?!5|403)\d{3}$/
  if (visitor === 'signed out') return refused.signedOut
  if (needs.startsWith('operator:')) return /^(403|404)$/
  if (!inAccount) return hasThings && target !== 'own' ? /^(303|403|404)$/ : /^(200|201|303|400|401|403|404|409)$/
  if (visitor === 'stranger' || target === 'foreign' || target === 'unknown') return refused.nothing
  if (ranks.indexOf(visitor) < ranks.indexOf(needs)) return refused.role
  if (target === 'crossed' && hasThings) return refused.nothing
  return lacks ? /^(404|409|200|303|502|503)$/ : done
}
