import { openOperator, operatorRoles } from '../people/operators'
import { type Newcomer, signUpByWire } from '../people/sign-up'
import { openWire, type Wire } from '../people/wire'
import { furnish, join, type Side } from './furnish'

/** Of an account; `money` operates Filmgate, and is a stranger in it. */
export const consoleVisitors = ['owner', 'member', 'viewer', 'stranger', 'money', 'signed out'] as const
/** Of the operators' pages; those who are none are people like any other. */
export const operateVisitors = ['money', 'support', 'read', 'owner', 'member', 'viewer', 'stranger', 'signed out'] as const
export type VisitorName = (typeof consoleVisitors)[number] | (typeof operateVisitors)[number]

export type Cast = {
  wires: Record<VisitorName, Wire>
  people: Record<'owner' | 'member' | 'viewer' | 'stranger' | 'other', Newcomer>
  own: Side
  foreign: Side
  /** The stranger's own account. */
  strangers: Side
}

/** Two accounts with one of everything, the people of the first, one who belongs to neither, and the operators that the stack is told of. */
export async function gatherCast(): Promise<Cast> {
  const [owner, member, viewer, stranger, other] = await Promise.all(['Olga', 'Mina', 'Vera', 'Sten', 'Fred'].map(signUpByWire))
  if (!owner || !member || !viewer || !stranger || !other) throw new Error('somebody did not sign up')
  const [read, support, money] = await Promise.all(operatorRoles.map(openOperator))
  if (!read || !support || !money) throw new Error('an operator did not sign up')
  const people = { owner, member, viewer, stranger, other }
  await Promise.all([join(member, owner.accountId, 'member'), join(viewer, owner.accountId, 'viewer')])
  const [own, foreign, strangers] = await Promise.all([furnish(owner), furnish(other), furnish(stranger)])
  const wires = {
    owner: owner.wire,
    member: member.wire,
    viewer: viewer.wire,
    stranger: stranger.wire,
    read,
    support,
    money,
    'signed out': openWire(),
  }
  return { wires, people, own, foreign, strangers }
}
