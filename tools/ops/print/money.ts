/** Money is counted in whole millionths of a US dollar, as the services keep it. */
const microPerUsd = 1_000_000

/** `1.25` → 1250000; what is finer than a millionth is rounded. Undefined for any other text. */
export function microUsdOf(text: string): number | undefined {
  return /^-?\d{1,9}(\.\d{1,30})?$/.test(text) ? Math.round(Number(text) * microPerUsd) : undefined
}

/** 1250000 → `1.25`: to the cent at least, and to the millionth where there is more. */
export function usdText(microUsd: number): string {
  const size = Math.abs(microUsd)
  const finer = String(size % microPerUsd).padStart(6, '0')
  const decimals = `${finer.slice(0, 2)}${finer.slice(2).replace(/0+$/, '')}`
  return `${microUsd < 0 ? '-' : ''}${Math.trunc(size / microPerUsd)}.${decimals}`
}
