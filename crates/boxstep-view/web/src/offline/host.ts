// What shows the page: a browser, in which a file is dropped and downloaded, or an editor, which has files of its own.

import type { Saving } from '../backend';

export type Host = {
  saving: Saving | undefined;
  /** Takes the file as it is to be kept. */
  save: (name: string, content: Uint8Array<ArrayBuffer>) => void;
  /** Is told of each change. */
  changed?: (label: string, text: string) => void;
  /** Begins; from now on files come. */
  begin?: (open: (name: string, content: Uint8Array) => void) => void;
};

/** A browser: files come from the user, and are downloaded. */
export const browser: Host = {
  saving: { act: 'Download', done: 'No changes', about: 'download' },
  save(name, content) {
    const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    [link.href, link.download] = [url, name];
    link.click();
    // It may be read after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },
};

/** What an editor sends: the text of its document. */
type FromEditor = { type: 'open'; name: string; text: string };
type ToEditor = { type: 'ready' } | { type: 'changed'; label: string; text: string } | { type: 'save' };

const fields = 'input, textarea, .cm-editor';

/** An editor that shows the page, for instance VS Code: undo, saving and the file are its own. */
export function editor(post: (message: ToEditor) => void): Host {
  return {
    saving: undefined,
    save: () => post({ type: 'save' }),
    changed: (label, text) => post({ type: 'changed', label, text }),
    begin(open) {
      // In a field these keys are the field's, and not those of the document.
      document.addEventListener('keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && (event.target as Element).closest(fields)) event.stopPropagation();
      });
      addEventListener('message', ({ data }: MessageEvent<FromEditor>) => {
        // The mark says that it is UTF-8, whatever its declaration says: the editor has decoded it.
        if (data?.type === 'open') open(data.name, new TextEncoder().encode(`\uFEFF${data.text}`));
      });
      post({ type: 'ready' });
    },
  };
}
