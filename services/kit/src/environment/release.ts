/** Set by `bun build --define FILMGATE_RELEASE_BUILD=true`; running from source leaves it undefined. */
declare const FILMGATE_RELEASE_BUILD: boolean | undefined

/** Whether this code was built to be released. No environment variable can change it, so what it forbids stays forbidden. */
export const isReleaseBuild: boolean = typeof FILMGATE_RELEASE_BUILD !== 'undefined' && FILMGATE_RELEASE_BUILD
