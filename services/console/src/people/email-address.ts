const form = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The address as it is kept, or undefined where it is none: no quotes, no comments, a domain with a dot. */
export function emailAddress(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && form.test(email) ? email : undefined
}
