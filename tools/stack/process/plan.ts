/** A command of a service, with what it needs to run. */
export type Program = Required<Pick<Plan, 'command' | 'cwd' | 'env'>>

/** How the programs of a service are started; from its source unless a stack says otherwise. */
export type Launch = (service: string, program: Program) => Program
export const fromSource: Launch = (_, program) => program

/** One process of the stack: how it is started, when it can serve, how it is told to stop. */
export interface Plan {
  name: string
  kind: 'server' | 'service'
  port: number
  command: string[]
  cwd?: string
  env?: Record<string, string>
  /** Runs before every start: configuration files, a first initialisation. */
  prepare?: () => Promise<void>
  /** True once it serves; false while it is still coming up. */
  ready: () => Promise<boolean>
  readyTimeoutMs: number
  stopSignal: NodeJS.Signals
  stopTimeoutMs: number
  /** What makes it slow to stop, in words for whoever waits. */
  stopNotice?: string | undefined
}
