// The page that a webview shows: that of `cargo xtask offline`, which finds its files where VS Code has them.

import * as vscode from 'vscode';

export function html(webview: vscode.Webview, folder: vscode.Uri): string {
  const of = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  const own = webview.cspSource;
  // Only the files of the extension, and nothing of the network. A module's thread is made of a text of the page.
  const policy = [
    "default-src 'none'",
    `script-src ${own} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `style-src ${own} 'unsafe-inline'`,
    'img-src data: blob:',
    `connect-src ${own}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>Boxstep</title>
    <link rel="stylesheet" crossorigin href="${of('drawing.css')}" />
    <link rel="stylesheet" crossorigin href="${of('offline.css')}" />
  </head>
  <body data-wasm="${of('boxstep.wasm')}">
    <script type="module" src="${of('offline.js')}"></script>
  </body>
</html>
`;
}
