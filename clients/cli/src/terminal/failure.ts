/** What the program exits with. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  credits: 3,
  key: 4,
  unknown: 5,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

type Terms = { exit: ExitCode; code: string; hints?: string[]; facts?: Record<string, unknown> }

/** Why a command ends early: words for people, `code` and `facts` for programs, `hints` that say what to do. */
export class Failure extends Error {
  readonly exit: ExitCode
  readonly code: string
  readonly hints: string[]
  readonly facts: Record<string, unknown>

  constructor(message: string, { exit, code, hints = [], facts = {} }: Terms) {
    super(message)
    this.name = 'Failure'
    this.exit = exit
    this.code = code
    this.hints = hints
    this.facts = facts
  }
}

/** The command line itself is wrong. */
export const usageFailure = (message: string, ...hints: string[]) => new Failure(message, { exit: exitCodes.usage, code: 'usage', hints })
