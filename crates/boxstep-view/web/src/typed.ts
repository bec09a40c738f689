/** What was typed, as JSON if it is some, else as text; nothing is a bang. */
export function typed(text: string | undefined): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
