/** Where a reader without a key gets one. */
export const createKey = (consoleUrl: string | undefined): string =>
  consoleUrl === undefined
    ? 'You need an API key, which the operator of this installation gives you.'
    : `You need an API key. [Sign in to the console](${new URL('/keys', consoleUrl).href}), or sign up there, and create one. It is shown once. The API spends the account’s paid balance; starter credits are for the console’s playground.`
