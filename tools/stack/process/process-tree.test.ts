import { expect, test } from 'bun:test'
import { processTree } from './process-tree'

test('grandchildren in other process groups belong to the tree', async () => {
  const child = Bun.spawn(['sh', '-c', 'setsid sleep 30 & echo $!; wait'], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const grandchild = Number(Buffer.from(value ?? []).toString())
  const tree = processTree(child.pid)
  process.kill(grandchild, 'SIGKILL')
  expect(tree).toEqual([child.pid, grandchild])
  await child.exited
})
