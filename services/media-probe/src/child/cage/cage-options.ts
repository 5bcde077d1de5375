export interface CageOptions {
  /** `landlock` also restricts files; `seccomp` is for kernels without it. */
  isolation: 'landlock' | 'seccomp'
  /** What the command may read and execute. */
  readable: string[]
  /** The file on descriptor 3 may be written. */
  writesInherited: boolean
  /** PATH of the command, its only variable. */
  path: string
}

/** The exit code if the cage can't be built: our own fault, and nothing that the file caused. No decoder exits with it. */
export const noCageExit = 120
