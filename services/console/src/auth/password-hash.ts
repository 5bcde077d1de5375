/** As OWASP's cheat sheet on storing passwords recommends for argon2id: 19 MiB, two passes. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, argon)

export const verifyPassword = ({ password, hash }: { password: string; hash: string }): Promise<boolean> =>
  Bun.password.verify(password, hash)
