import { expect, test } from 'bun:test'
import { droppedWords } from './dropped-words'
import { findDropped } from './find-dropped'

/** A use of each dropped word, in its order. */
const uses: [file: string, text: string][] = [
  ['services/dispatcher/src/routing/route.ts', 'const makerModel = 1'],
  ['services/dispatcher/src/makers/connect.ts', ''],
  ['services/dispatcher/src/routing/route.ts', '// The maker answers.'],
  ['services/gateway/src/main.ts', 'const line = followLine(deps)'],
  ['services/gateway/src/line.ts', ''],
  ['docs/architecture.md', 'It walks the line.'],
  ['services/ledger/src/main.ts', 'startPosting(deps)'],
  ['services/gateway/src/main.ts', 'createAccept(deps)'],
  ['services/gateway/src/generations/accept.ts', ''],
  ['services/ledger/src/batch/post.ts', 'export type Draft = { entries: [] }'],
  ['services/ledger/src/batch/draft.ts', ''],
  ['services/dispatcher/src/attempt/send.ts', 'const again: Begun = 1'],
  ['services/dispatcher/src/attempt/begin-again.ts', ''],
  ['services/dispatcher/src/attempt/send.ts', 'const moves = acceptedMove(at)'],
  ['services/dispatcher/src/attempt/move.ts', ''],
  ['services/ledger/src/event/read-event.ts', 'const heard = 1'],
  ['services/kit/src/bus/gather.ts', 'const patienceMs = 20'],
  ['services/kit/src/bus/gather.ts', '// It ends everybody’s patience.'],
  ['services/kit/src/bus/consumer.ts', 'const restMs = 100'],
  ['services/ledger/src/main.ts', 'const all: Part[] = []'],
  ['services/kit/src/run.ts', 'strike()'],
  ['services/kit/src/jobs.ts', 'isLetGo(job)'],
  ['services/media-probe/src/verification/decide.ts', ''],
]

test('every dropped word is reported with its replacement', () => {
  expect(uses).toHaveLength(droppedWords.length)
  for (const [index, [file, text]] of uses.entries()) {
    const { word, use } = droppedWords[index] ?? { word: '', use: '' }
    expect(findDropped(file, text).join()).toContain(`“${word}” was dropped, use ${use}`)
  }
})

test('a word with another meaning is not reported', () => {
  expect(findDropped('services/ledger/src/batch/post.ts', 'await sql.begin(async sql => sql`select 1`)')).toEqual([])
  expect(findDropped('services/gateway/src/main.ts', '// A line in the log for each request.\nconst line = text.split(1)')).toEqual([])
  expect(findDropped('docs/operations.md', 'The dispatcher moves nothing that was heard before.')).toEqual([])
  expect(findDropped('services/ledger/src/batch/post.ts', 'object.heard')).toEqual([])
  expect(findDropped('tests/media/corpus/build/jpeg.ts', 'const makerNote = 1')).toEqual([])
})
