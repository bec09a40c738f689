// In an editor the page is light or dark as the editor is, whatever the computer prefers.

/** Makes what styles say for a scheme count, or not count, as the class of the body says that VS Code sets. */
export function followEditor(): void {
  const follow = () => {
    const { classList } = document.body;
    const dark = classList.contains('vscode-dark') || (classList.contains('vscode-high-contrast') && !classList.contains('vscode-high-contrast-light'));
    if (!dark && !classList.contains('vscode-light') && !classList.contains('vscode-high-contrast-light')) return;
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    for (const sheet of document.styleSheets) turn(sheet, dark);
  };
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
  addEventListener('load', follow);
  follow();
}

const schemes = new WeakMap<CSSMediaRule, boolean>();

function turn(sheet: CSSStyleSheet, dark: boolean): void {
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSMediaRule)) continue;
    if (/prefers-color-scheme/.test(rule.conditionText)) schemes.set(rule, /dark/.test(rule.conditionText));
    const of = schemes.get(rule);
    if (of !== undefined) rule.media.mediaText = of === dark ? 'all' : 'not all';
  }
}
