// A text that two have changed at the same time.

import { diff3Merge } from 'node-diff3';

/** Makes the changes that others have made of `base` also in `mine`. Of lines that both have changed mine stay, which `both` tells. */
export function merged(mine: string, base: string, others: string): { text: string; both: boolean } {
  const lines = (text: string) => text.split('\n');
  const parts = diff3Merge(lines(mine), lines(base), lines(others), { excludeFalseConflicts: true });
  return {
    text: parts.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []).join('\n'),
    both: parts.some(({ conflict }) => conflict),
  };
}
