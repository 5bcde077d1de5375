import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { type Part, readCall } from './arguments'
import { proveAttacks } from './attacks/prove-attacks'
import { proveJourney } from './journey/journey'
import { proveKeyboard } from './keyboard/prove-keyboard'
import { proveLooks } from './looks/looks'
import { proveTenants } from './matrix/prove-matrix'
import { provePasskeys } from './passkeys/prove-passkeys'
import { provePayments } from './payments/payments'
import { proveReconcile } from './payments/reconcile'
import { proveSpeed } from './speed/speed'
import { proveStarter } from './starter/prove-starter'
import { proveSupport } from './support/prove-support'

/** `bun run test:console [part …]`: the console on a stack of its own. */
const { names } = readCall(process.argv.slice(2))
const parts: Record<Part, (report: Report) => Promise<void>> = {
  journey: proveJourney,
  keyboard: proveKeyboard,
  attacks: proveAttacks,
  looks: proveLooks,
  matrix: proveTenants,
  passkeys: provePasskeys,
  speed: proveSpeed,
  starter: proveStarter,
  support: proveSupport,
  payments: provePayments,
  reconcile: proveReconcile,
}

const report = createReport('console')
await runParts(report, names, name => parts[name](report))
process.exit(report.finish())
