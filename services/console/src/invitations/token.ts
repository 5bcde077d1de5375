import { createHash, randomBytes } from 'node:crypto'

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits for an invitation link. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The hash that is stored; undefined for an invalid token. */
export const hashToken = (token: string): Buffer | undefined =>
  tokenForm.test(token) ? createHash('sha256').update(token).digest() : undefined
