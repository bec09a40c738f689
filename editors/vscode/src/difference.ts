// What differs between two texts.

export type Change = { start: number; end: number; text: string };

const isHigh = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text.charAt(at));

/** The one stretch of a text in which another differs, of whole characters and of whole line ends; nothing if they are the same. */
export function difference(before: string, after: string): Change | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  // Positions of a document are not within a character, or between the two of a line end.
  while (start > 0 && (isHigh(before, start - 1) || before[start - 1] === '\r')) start--;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  while (same > 0 && (isHigh(before, before.length - same - 1) || isHigh(after, after.length - same - 1) || before[before.length - same - 1] === '\r' || after[after.length - same - 1] === '\r')) same--;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
