/** argon2id with 19 MiB and two passes, as recommended by the OWASP password storage cheat sheet. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, argon)

export const verifyPassword = ({ password, hash }: { password: string; hash: string }): Promise<boolean> =>
  Bun.password.verify(password, hash)
