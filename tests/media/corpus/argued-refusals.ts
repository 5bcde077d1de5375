/** Files of the corpus that are refused, by name, and why that is right: at most one in a hundred. */
export const arguedRefusals: Record<string, string> = {}
