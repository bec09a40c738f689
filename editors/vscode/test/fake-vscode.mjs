// As much of VS Code as the extension uses: documents with undo, one editor, and its webview, which a browser shows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

class Uri {
  constructor(path) {
    this.path = path;
  }
  static joinPath = (uri, ...parts) => new Uri([uri.path, ...parts].join('/'));
  toString = () => `file://${this.path}`;
}

class Range {
  constructor(start, end) {
    [this.start, this.end] = [start, end];
  }
}

class WorkspaceEdit {
  edits = [];
  replace(uri, range, text) {
    this.edits.push({ uri, range, text });
  }
}

/** A document, with the history that VS Code keeps of it. */
export class Document {
  saved = 0;
  past = [];
  constructor(path, text) {
    [this.uri, this.text] = [new Uri(path), text];
  }
  getText = () => this.text;
  // Positions are offsets here, which must not be within a character or a line end.
  positionAt(offset) {
    const [before, after] = [this.text[offset - 1] ?? '', this.text[offset] ?? ''];
    if (/[\uD800-\uDBFF]/.test(before) || (before === '\r' && after === '\n')) throw new Error(`${offset} is no position`);
    return offset;
  }
  async save() {
    this.saved += 1;
    return true;
  }
}

export function fakeVscode(origin) {
  const heard = new Set();
  const errors = [];
  let provider;
  const vscode = {
    Uri,
    Range,
    WorkspaceEdit,
    ViewColumn: { Beside: -2 },
    TabInputCustom: class {},
    commands: { registerCommand: () => ({ dispose() {} }), executeCommand: async () => undefined },
    window: {
      tabGroups: { activeTabGroup: {} },
      showErrorMessage: (why) => errors.push(why),
      registerCustomEditorProvider: (view, given) => {
        provider = { view, given };
        return { dispose() {} };
      },
    },
    workspace: {
      onDidChangeTextDocument: (listener) => {
        heard.add(listener);
        return { dispose: () => heard.delete(listener) };
      },
      applyEdit: async (edit) => {
        // Others have a turn, as in VS Code.
        await new Promise((done) => setTimeout(done, 5));
        if (world.refuses) return false;
        for (const { range, text } of edit.edits) world.set(world.document.text.slice(0, range.start) + text + world.document.text.slice(range.end));
        return true;
      },
    },
  };
  const world = {
    vscode,
    errors,
    refuses: false,
    document: undefined,
    /** Somebody changes the document. */
    set(text) {
      world.document.past.push(world.document.text);
      world.become(text);
    },
    undo() {
      world.become(world.document.past.pop());
    },
    become(text) {
      world.document.text = text;
      for (const listener of heard) listener({ document: world.document, contentChanges: [{}] });
    },
    /** Starts the extension as it is built, and opens a document; `post` takes what the page is told. */
    open(document, post) {
      world.document = document;
      const code = readFileSync(join(import.meta.dirname, '../dist/extension.js'), 'utf8');
      const module = { exports: {} };
      new Function('module', 'exports', 'require', code)(module, module.exports, () => vscode);
      module.exports.activate({ extensionUri: new Uri('/extension'), subscriptions: [] });
      const listeners = [];
      const webview = {
        cspSource: origin,
        asWebviewUri: (uri) => `${origin}${uri.path}`,
        onDidReceiveMessage: (listener) => (listeners.push(listener), { dispose() {} }),
        postMessage: async (message) => post(message),
      };
      provider.given.resolveCustomTextEditor(document, { webview, onDidDispose: () => undefined });
      return { view: provider.view, html: webview.html, options: webview.options, heard: (message) => listeners.forEach((one) => one(message)) };
    },
  };
  return world;
}
