const joined =
  'An edit list of several pieces is refused whether they touch or not: programs that split a film without cutting it are rare, and exporting it again helps.'

/** Files of the corpus that are refused, and why that is right: at most one in a hundred. */
export const arguedRefusals: Record<string, string> = {
  'edit lists · two edits that follow each other, 1 B-frames': joined,
  'edit lists · two edits that follow each other, 2 B-frames': joined,
}
