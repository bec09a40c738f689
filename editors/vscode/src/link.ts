// Keeps a page and a document the same: what the page changes goes to the document, one change after another, and what
// anybody else changes goes to the page.

/** What the page says. */
export type FromPage = { type: 'ready' } | { type: 'changed'; label: string; text: string } | { type: 'save' };
/** What the page is told. */
export type ToPage = { type: 'open'; name: string; text: string };

export type Document = {
  text: () => string;
  /** Makes it another text; false if that was refused. */
  replace: (text: string) => Promise<boolean>;
  save: () => Promise<void>;
  failed: (why: string) => void;
};

/** A document has one kind of line ends, whatever it is given. */
const same = (one: string | undefined, other: string | undefined) => one?.replaceAll('\r\n', '\n') === other?.replaceAll('\r\n', '\n');

export class Link {
  /** What the page shows; nothing before it is there. */
  private shown: string | undefined;
  /** Texts of the page that the document does not have yet. */
  private waiting: string[] = [];
  /** The one that it is getting just now. */
  private writes: string | undefined;
  private saves = false;

  constructor(
    private readonly name: string,
    private readonly document: Document,
    private readonly post: (message: ToPage) => void,
  ) {}

  hear(message: FromPage): void {
    if (message.type === 'ready') this.open();
    // A page that has not been told of the document's text yet changes an older one: it will be told.
    else if (message.type === 'changed' && this.shown !== undefined) {
      this.shown = message.text;
      this.waiting.push(message.text);
      void this.write();
    } else if (message.type === 'save') {
      this.saves = true;
      void this.write();
    }
  }

  /** The document has changed: by the page, by undo, or by somebody else. */
  changed(): void {
    const text = this.document.text();
    if (same(text, this.writes) || same(text, this.shown)) return;
    // Somebody else was faster: what the page wanted was made of another text.
    this.waiting = [];
    if (this.shown !== undefined) this.open();
  }

  private open(): void {
    this.shown = this.document.text();
    this.post({ type: 'open', name: this.name, text: this.shown });
  }

  private async write(): Promise<void> {
    if (this.writes !== undefined) return;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.writes = next;
      const done = await this.document.replace(next).catch(() => false);
      this.writes = undefined;
      if (done) continue;
      this.waiting = [];
      this.document.failed('the change could not be made');
      this.open();
    }
    // Somebody else was faster, and what the page wanted came all the same.
    if (!same(this.document.text(), this.shown)) this.open();
    if (!this.saves) return;
    this.saves = false;
    await this.document.save();
  }
}
