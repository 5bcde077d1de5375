/** Files of the corpus that are refused, and why that is right: at most one in a hundred. */
export const arguedRefusals: Record<string, string> = {}
