import { type CageOptions, noCageExit } from './cage-options'
import { restrictFiles } from './landlock'
import { addressOf, prctl, replaceBy, resetSignals } from './libc'
import { seccompFilter } from './seccomp-filter'

/** Numbers of Linux's `prctl.h`. */
const [parentDeathSignal, setSeccomp, dropFromBoundingSet, noNewPrivileges] = [1, 22, 24, 38]
const filterMode = 2
const killSignal = 9
const capabilityMax = 63
const inheritedFd = 3

/** `cage OPTIONS COMMAND…`: confines this process for good, then becomes the command. */
function main([options = '', ...command]: string[]): void {
  const { isolation, readable, writesInherited, path }: CageOptions = JSON.parse(options)
  if (prctl(parentDeathSignal, killSignal) !== 0) throw new Error('the child can’t be made to end with its parent')
  // Only root has capabilities to drop; for others each of these fails.
  for (let capability = 0; capability <= capabilityMax; capability++) prctl(dropFromBoundingSet, capability)
  if (prctl(noNewPrivileges, 1) !== 0) throw new Error('new privileges can’t be ruled out')
  if (isolation === 'landlock') restrictFiles({ readable, ...(writesInherited && { writable: inheritedFd }) })
  const filter = seccompFilter(process.arch, { writes: writesInherited })
  // A `struct sock_fprog`: the number of instructions, and where they are.
  const program = BigUint64Array.of(BigInt(filter.length / 8), BigInt(addressOf(filter)))
  if (prctl(setSeccomp, filterMode, addressOf(program)) !== 0) throw new Error('this kernel has no seccomp filters')
  resetSignals()
  replaceBy(command, [`PATH=${path}`])
  throw new Error(`${command[0]} can’t be started`)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  console.error(String(error))
  process.exit(noCageExit)
}
