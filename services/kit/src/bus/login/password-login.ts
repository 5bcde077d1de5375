import type { SASLOptions } from 'kafkajs'

export type PasswordLogin = { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username(): string; password(): string }

/** Read when somebody asks, which kafkajs does for every login. */
export const passwordMechanism = ({ mechanism, username, password }: PasswordLogin): SASLOptions => ({
  mechanism: mechanism as 'plain',
  get username() {
    return username()
  },
  get password() {
    return password()
  },
})
