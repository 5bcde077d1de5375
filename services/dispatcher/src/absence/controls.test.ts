import { expect, test } from 'bun:test'
import { countsFor, judgeShown } from './controls'

const sent = [new Date(1_000), new Date(2_000), new Date(3_000)] as const
const showable = sent.toReversed().map(createdAt => ({ createdAt }))

test.each([
  [[true, true, true], { control: 'shown' }],
  [[true, false, false], { control: 'shown' }],
  [[undefined, true, false], { control: 'shown' }],
  [[false, true, true], { control: 'behind', newestShown: sent[1] }],
  [[false, undefined, true], { control: 'behind', newestShown: sent[0] }],
  [[false, false, false], { control: 'hidden' }],
  [[false, undefined, false], undefined],
  [[undefined, undefined, undefined], undefined],
])('a provider that shows its newest three, newest first, as %p', (shown, seen) => {
  expect(judgeShown(showable, shown)).toEqual(seen as ReturnType<typeof judgeShown>)
})

test('what a provider that is behind doesn’t know of counts only where it was submitted before the newest that it shows', () => {
  const behind = { control: 'behind', newestShown: sent[1] } as const
  expect(sent.map(at => countsFor(behind, at))).toEqual([true, false, false])
  expect(['shown', 'believed'].map(control => countsFor({ control: control as 'shown' }, sent[2]))).toEqual([true, true])
  expect(['hidden', 'refused', 'vanishing', 'nothing'].map(control => countsFor({ control: control as 'hidden' }, sent[2]))).toEqual([
    false,
    false,
    false,
    false,
  ])
})
