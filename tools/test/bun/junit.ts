import type { FailedTest, Outcome } from './outcome'

/** Reads a JUnit report of `bun test`. */
export const readJunit = (junit: string) => ({ ...countsIn(junit), failures: failuresIn(junit), files: filesIn(junit) })

export function countsIn(junit: string): Pick<Outcome, 'passed' | 'failed' | 'skipped'> {
  const head = /<testsuites\b[^>]*>/.exec(junit)?.[0] ?? ''
  const number = (name: string): number => Number(attribute(head, name) || 0)
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}

function failuresIn(junit: string): FailedTest[] {
  const failed = /<testcase\b([^>]*[^>/])>\s*<(?:failure|error)\b([^>]*)>/g
  return [...junit.matchAll(failed)].map(([, test = '', why = '']) => {
    const suite = attribute(test, 'classname')
    const [reason = ''] = (attribute(why, 'message') || attribute(why, 'type')).split('\n')
    return { file: attribute(test, 'file'), name: `${suite ? `${suite} > ` : ''}${attribute(test, 'name')}`, reason }
  })
}

/** A file is the outermost suite; a `describe` is a nested one. */
function filesIn(junit: string): Outcome['files'] {
  return [...junit.matchAll(/<testsuite\b([^>]*)>/g)].flatMap(([, suite = '']) => {
    const file = attribute(suite, 'file')
    return attribute(suite, 'name') === file ? [{ file, seconds: Number(attribute(suite, 'time')) }] : []
  })
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n' }

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replace(/&(#?\w+);/g, (whole, entity: string) => entities[entity] ?? whole)
