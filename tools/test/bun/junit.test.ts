import { expect, test } from 'bun:test'
import { readJunit } from './junit'

test('counts are read from the report’s header, times from the suites of files', () => {
  const junit = `<?xml version="1.0"?>
<testsuites name="bun test" tests="7" assertions="9" failures="2" skipped="1" time="0.1">
  <testsuite name="a.test.ts" file="a.test.ts" tests="5" time="12.5"><testsuite name="inner" file="a.test.ts" tests="2" time="3" /></testsuite>
  <testsuite name="b.test.ts" file="b.test.ts" tests="2" time="0.25" />`
  expect(readJunit(junit)).toEqual({
    ...{ passed: 4, failed: 2, skipped: 1, failures: [] },
    files: [
      { file: 'a.test.ts', seconds: 12.5 },
      { file: 'b.test.ts', seconds: 0.25 },
    ],
  })
})
