// Where the page gets what it shows: from a program over HTTP, or in a page without one from the module of `offline/`.

/** How a file leaves a page without a program. Without `act` and `done` that is the affair of whoever shows the page. */
export type Saving = { act: string; done: string; about: string };

type Backend = {
  /** Answers a route of the server (docs/reference/view-protocol.md). */
  fetch: (route: string, init?: RequestInit) => Promise<Response>;
  /** The address of the drawing of what signs mean. */
  legend: string;
  saving: Saving | undefined;
  /** Undo and redo are the page's own, and not those of the program that it is shown in. */
  undoes: boolean;
  /** Why something has no answer. */
  gone: string;
};

export const backend: Backend = {
  fetch: (route, init) => fetch(route, init),
  legend: '/legend',
  saving: { act: 'Save', done: 'Saved', about: 'save' },
  undoes: true,
  gone: 'the program has ended; what was changed before is in its draft beside the file, the last change only here',
};
