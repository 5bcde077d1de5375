/** What better-auth takes too: any other address would pass our forms and then be refused by the library. */
const form = /^(?=[^@]{1,64}@)(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The normalized address, or undefined if it is invalid. The part before the @ has ASCII letters, digits and `_'+-.` alone. */
export function parseEmailAddress(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && form.test(email) ? email : undefined
}
