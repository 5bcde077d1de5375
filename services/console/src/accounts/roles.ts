/** Roles in ascending order: each one includes the rights of those before it. */
export const roles = ['viewer', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

export const isRole = (text: string): text is Role => roles.includes(text as Role)
