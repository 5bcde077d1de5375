/** A service's command with its folder and environment. */
export type Program = Required<Pick<Plan, 'command' | 'cwd' | 'env'>>

/** How a service's programs start; by default from source. */
export type Launch = (service: string, program: Program) => Program
export const fromSource: Launch = (_, program) => program

/** A process of the stack: how it starts, becomes ready and stops. */
export interface Plan {
  name: string
  kind: 'server' | 'service'
  port: number
  command: string[]
  cwd?: string
  env?: Record<string, string>
  /** Runs before every start, such as writing configuration files. */
  prepare?: () => Promise<void>
  /** True once it serves. */
  ready: () => Promise<boolean>
  readyTimeoutMs: number
  stopSignal: NodeJS.Signals
  stopTimeoutMs: number
  /** Why it is slow to stop, shown to the user. */
  stopNotice?: string | undefined
}
