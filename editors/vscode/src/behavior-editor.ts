// The editor of a behavior: a page in a webview, and the document that it shows. Undo, dirty and save are VS Code's.

import * as vscode from 'vscode';
import { difference } from './difference';
import { Link, type FromPage, type ToPage } from './link';
import { html } from './page';

export const VIEW = 'boxstep.behavior';

export class BehaviorEditor implements vscode.CustomTextEditorProvider {
  constructor(private readonly extension: vscode.Uri) {}

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const page = vscode.Uri.joinPath(this.extension, 'dist', 'page');
    webview.options = { enableScripts: true, localResourceRoots: [page] };
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const link = new Link(
      name,
      {
        text: () => document.getText(),
        replace: (text) => replace(document, text),
        save: async () => void (await document.save()),
        failed: (why) => void vscode.window.showErrorMessage(`${name}: ${why}`),
      },
      (message: ToPage) => void webview.postMessage(message),
    );
    const listening = [
      webview.onDidReceiveMessage((message: FromPage) => link.hear(message)),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document.uri.toString() === document.uri.toString() && change.contentChanges.length) link.changed();
      }),
    ];
    panel.onDidDispose(() => listening.forEach((one) => one.dispose()));
    webview.html = html(webview, page);
  }
}

/** Makes the document another text; what is the same stays, so that VS Code's own history has the change alone. */
async function replace(document: vscode.TextDocument, text: string): Promise<boolean> {
  const change = difference(document.getText(), text);
  if (!change) return true;
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  return vscode.workspace.applyEdit(edit);
}
