import { until } from '@filmgate/kit/testing'
import type { TestSystem } from './test-system'

/** Waits until a provider's polls have had no such generation for so many times more. They come the rarer the older it is. */
export async function seenMissing(system: Pick<TestSystem, 'dispatcherUrl'>, provider: string, times: number): Promise<void> {
  const line = new RegExp(`^provider_polls(?:_total)?\\{(?=[^}]*provider="${provider}")[^}]*status="missing"[^}]*\\} (\\d+)`, 'm')
  const count = async () => Number(line.exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1] ?? 0)
  const before = await count()
  await until(`it was seen missing ${times} times more`, async () => (await count()) >= before + times, 60_000)
}
