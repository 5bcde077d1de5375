import { createHash, randomBytes } from 'node:crypto'

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits: what an invitation's link has. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** As it is kept; undefined for what is no token. */
export const hashToken = (token: string): Buffer | undefined =>
  tokenForm.test(token) ? createHash('sha256').update(token).digest() : undefined
