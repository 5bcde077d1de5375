import { dlopen, FFIType, ptr } from 'bun:ffi'

const [library, monotonic] = process.platform === 'darwin' ? (['libSystem.B.dylib', 6] as const) : (['libc.so.6', 1] as const)
const { clock_gettime } = dlopen(library, { clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 } }).symbols
const time = new BigInt64Array(2)

/** Milliseconds by one clock for all processes of a machine: the runtime's own clocks each begin with their process. */
export function nowMs(): number {
  clock_gettime(monotonic, ptr(time))
  return Number(time[0]) * 1_000 + Number(time[1]) / 1_000_000
}
