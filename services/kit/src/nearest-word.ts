/** The candidate fewest edits away from `word`, or undefined when none is near enough to have been meant. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestEdits = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    // The lengths alone already tell how many edits there must be.
    if (Math.abs(candidate.length - word.length) >= bestEdits) continue
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < bestEdits) {
      best = candidate
      bestEdits = edits
    }
  }
  return best
}

/** Levenshtein's distance, a row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
