import { expect, test } from 'bun:test'
import { countsFor, judgeShown } from './controls'

const showable = ['at_3', 'at_2', 'at_1'].map(attemptId => ({ attemptId }))

test.each([
  [[true, true, true], { control: 'shown' }],
  [[true, false, false], { control: 'shown' }],
  [[undefined, true, false], { control: 'shown' }],
  [[false, true, true], { control: 'behind', newestShown: 'at_2' }],
  [[false, undefined, true], { control: 'behind', newestShown: 'at_1' }],
  [[false, false, false], { control: 'hidden' }],
  [[false, undefined, false], undefined],
  [[undefined, undefined, undefined], undefined],
])('a maker that shows its newest three, newest first, as %p', (shown, seen) => {
  expect(judgeShown(showable, shown)).toEqual(seen as ReturnType<typeof judgeShown>)
})

test('what a maker that is behind doesn’t know of counts only where it was submitted before the newest that it shows', () => {
  const behind = { control: 'behind', newestShown: 'at_2' } as const
  expect(['at_1', 'at_2', 'at_3'].map(id => countsFor(behind, id))).toEqual([true, false, false])
  expect(['shown', 'believed'].map(control => countsFor({ control: control as 'shown' }, 'at_3'))).toEqual([true, true])
  expect(['hidden', 'refused', 'vanishing', 'nothing'].map(control => countsFor({ control: control as 'hidden' }, 'at_3'))).toEqual([
    false,
    false,
    false,
    false,
  ])
})
