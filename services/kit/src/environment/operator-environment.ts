import { type Secrets, secrets } from './secrets'
import { type Group, optional, readVariables, text } from './variables'

/** What operators may do, each role all that those before it may. */
export const roles = ['read', 'support', 'money'] as const

export type Role = (typeof roles)[number]

export type OperatorSettings = { tokens: Secrets; tokenRole: Role; file: string | undefined }

/** Who may do what at the operators' routes: the same variables for every service that has any. */
export const operatorEnvironment: Group<OperatorSettings> = {
  readGroup(env) {
    const { tokenRole, ...settings } = readVariables(env, {
      /** Shared by machines; whoever uses it says their own name. */
      tokens: secrets('FILMGATE_OPERATOR_TOKEN', { lengthMin: 24 }),
      tokenRole: ['FILMGATE_OPERATOR_TOKEN_ROLE', text({ fallback: 'money', pattern: /^(read|support|money)$/ })],
      /** JSON with the operators' names, roles and digests of their tokens. */
      file: ['FILMGATE_OPERATORS_FILE', optional(text())],
    })
    return { ...settings, tokenRole: roles.find(role => role === tokenRole) ?? 'read' }
  },
}
