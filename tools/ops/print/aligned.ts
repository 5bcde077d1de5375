/** How wide each column of a grid of text is, in characters; its first line has a cell of each. */
export const columnWidths = (grid: string[][]): number[] =>
  grid[0]?.map((_, index) => Math.max(...grid.map(line => line[index]?.length ?? 0))) ?? []

/** A grid of text for a terminal: columns two spaces apart, a line for each row. */
export function aligned(grid: string[][]): string {
  const widths = columnWidths(grid)
  return grid
    .map(line =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
