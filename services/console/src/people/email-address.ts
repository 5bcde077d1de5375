const form = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The normalized address, or undefined if it is invalid: no quotes, no comments, and the domain needs a dot. */
export function parseEmailAddress(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && form.test(email) ? email : undefined
}
