import { signInByWire, signUpAs } from './sign-up'
import type { Wire } from './wire'

export const operatorRoles = ['read', 'support', 'money'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Whom stack.env names as operator in that role: signed up by the first part of the suite that asks, signed in by later ones. */
export function openOperator(role: OperatorRole): Promise<Wire> {
  const email = `${role}@operators.example`
  return signInByWire(email).catch(async () => (await signUpAs({ name: `Operator ${role}`, email })).wire)
}
