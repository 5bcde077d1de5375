import type { Report } from '../../support/suite/report'
import { operatorRoles } from '../people/operators'
import type { Cast, VisitorName } from './cast'
import { type Cell, nameOf, ofOperators } from './cells'
import { headerFaults, markupFaults } from './every-answer'
import { isNothing } from './expected'

type Judged = Pick<Report, 'check' | 'figure'>
type Accounts = Pick<Cast, 'own' | 'foreign' | 'strangers'>

/** Holds every answer against what it may be, and counts those that tell of others. */
export function judge(report: Judged, cast: Accounts, cells: Cell[]): void {
  let leaks = 0
  for (const cell of cells) {
    const { answer, expected, asked } = cell
    const name = `${cell.visitor}, ${cell.target}, ${cell.kind}: ${nameOf(cell.route)}`
    report.check(`${name} is answered as it should be`, expected.test(String(answer.status)), `${answer.status} instead of ${expected}`)
    const seen = isOfLink(cell) || mayReadAll(cell) ? [] : leaksIn(cast, cell.visitor, cell, asked)
    leaks += seen.length
    report.check(`${name} tells nothing of others`, seen.length === 0, seen.join(', '))
    const faults = [...headerFaults(cell.route.path, answer), ...markupFaults(answer)]
    report.check(`${name} is nothing that a browser could be misled by`, faults.length === 0, faults.join('; '))
  }
  leaks += judgeAlike(report, cells)
  report.figure('matrix.leaks', leaks)
}

/** Operators see all accounts; that is what their pages are for. */
const mayReadAll = ({ route, visitor }: Cell): boolean => ofOperators(route) && operatorRoles.some(role => role === visitor)

/** Whoever holds an invitation's link is told who invites whom, so that they know which address to sign in with. */
const isOfLink = ({ route: { path }, visitor }: Cell): boolean => path === '/invitations/:token' && visitor === 'signed out'

/** What of accounts that the visitor doesn't belong to is in the answer; what the visitor has named says nothing new. */
function leaksIn(
  { own, foreign, strangers }: Accounts,
  visitor: VisitorName,
  { answer: { text, headers } }: Cell,
  asked: string,
): string[] {
  const members: VisitorName[] = ['owner', 'member', 'viewer']
  const others = members.includes(visitor) ? [foreign, strangers] : visitor === 'stranger' ? [own, foreign] : [own, foreign, strangers]
  const whole = `${text}\n${[...headers].map(([name, value]) => (name === 'x-request-id' ? '' : value)).join('\n')}`
  const shown = decodeURIComponent(whole.replace(/%(?![0-9a-fA-F]{2})/g, '%25'))
  return others.flatMap(({ markers }) => markers).filter(marker => shown.includes(marker) && !asked.includes(marker))
}

/** What is not there is answered in the same words whether it is somebody else's or nobody's. Returns how many differ. */
function judgeAlike(report: Judged, cells: Cell[]): number {
  const answers = new Map<string, Set<string>>()
  for (const cell of cells.filter(({ expected }) => isNothing(expected))) {
    const name = `${cell.visitor}, ${cell.kind}: ${nameOf(cell.route)}`
    answers.set(name, (answers.get(name) ?? new Set()).add(wordsOf(cell)))
  }
  const differing = [...answers].filter(([, words]) => words.size > 1)
  report.check(
    'what is another’s and what is nobody’s are answered alike',
    differing.length === 0,
    differing.map(([name, words]) => `${name}: ${[...words].join(' | ').slice(0, 600)}`).join('\n'),
  )
  report.figure('matrix.alike', answers.size)
  return differing.length
}

/** Without the request's own id, and without what the visitor has named. */
function wordsOf({ answer: { status, text, headers }, asked }: Cell): string {
  const named = asked.split(/[/ =&]/).filter(word => /[_\d]/.test(word) && word.length > 8)
  const plain = named.reduce((shown, word) => shown.replaceAll(word, ''), text)
  return `${status} ${headers.get('content-type')} ${plain.replace(/<code>[0-9a-f]{32}<\/code>/, '')}`
}
