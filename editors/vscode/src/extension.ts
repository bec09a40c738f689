// Behaviors (`.xar`) as diagrams in VS Code.

import * as vscode from 'vscode';
import { BehaviorEditor, VIEW } from './behavior-editor';

export function activate(context: vscode.ExtensionContext): void {
  const options = { webviewOptions: { retainContextWhenHidden: true }, supportsMultipleEditorsPerDocument: true };
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(VIEW, new BehaviorEditor(context.extensionUri), options),
    vscode.commands.registerCommand('boxstep.openText', (uri?: vscode.Uri) => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      const shown = uri ?? (input instanceof vscode.TabInputCustom ? input.uri : undefined);
      return shown && vscode.commands.executeCommand('vscode.openWith', shown, 'default', vscode.ViewColumn.Beside);
    }),
  );
}
