/**
 * What is started beside ffmpeg and ffprobe, whose names are settings. It is looked for at start; `tools/images/programs.test.ts` holds
 * the code and the Dockerfile against this list. A shell and `mount` are not in it: without them a child is kept apart less.
 */
export const programs = ['setpriv', 'prlimit', 'unshare', 'true'] as const
/** Where children look for programs. */
export const childPath = '/usr/local/bin:/usr/bin:/bin'
export type Program = (typeof programs)[number]
