// The lines of a traceback, and where they lead.

/** A line of a traceback; one of the script of a box says which. */
export type Frame = { text: string; at?: { path: string; line: number } };

/** `own` is the path of the box that the traceback is of, which may begin with the name of its behavior. */
export function framesOf(traceback: string, own: string): Frame[] {
  return traceback.trimEnd().split('\n').map((text) => {
    const [, path, line] = /^\s*File "[^"]*?: (.+)", line (\d+)/.exec(text) ?? [];
    if (!path || !line) return { text };
    return { text, at: { path: `/${own}`.endsWith(`/${path}`) ? own : path, line: Number(line) } };
  });
}
