import type { KeyView } from '../gateway/gateway'

export type KeyState = 'active' | 'expired' | 'revoked'

export function keyState({ revoked_at, expires_at }: Pick<KeyView, 'revoked_at' | 'expires_at'>, now: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active'
}
