/** What operators may do, each role all that those before it may. */
export const roles = ['read', 'support', 'money'] as const

export type Role = (typeof roles)[number]

export const mayActAs = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
